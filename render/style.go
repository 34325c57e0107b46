package render

// Style is a look of clips as data: fonts, colours, motion, title, logo, background. Parse one with ParseStyle or LoadStyle, or start from
// Preset. Marshal it with encoding/json to store it. Lengths are in pixels of a frame whose shorter side is 1080; they scale with the
// frame. docs/clips.md explains every member.
type Style struct {
	Name       string           `json:"name"` // for people
	Font       StyleFont        `json:"font"`
	Text       StyleText        `json:"text"`
	Captions   StyleCaptionBox  `json:"captions"`
	Highlight  StyleHighlight   `json:"highlight"`
	Motion     StyleMotion      `json:"motion"`
	Emphasis   StyleEmphasis    `json:"emphasis"`
	Speakers   StyleSpeakers    `json:"speakers"`
	Title      StyleTitleBox    `json:"title"`
	Progress   StyleProgressBar `json:"progress"`
	Logo       StyleLogo        `json:"logo"`
	Background StyleBackground  `json:"background"`
	Wave       StyleWave        `json:"wave"`
	Cut        StyleCut         `json:"cut"`
}

// Colour is "#rrggbb" or "#rrggbbaa", where aa is the opacity; "" is none.
type Colour string

// StyleFont is the font of captions and titles. Letters that it lacks are shown in Noto Sans.
type StyleFont struct {
	Family  string  `json:"family"`  // an installed or built-in family; "" for that of File
	File    string  `json:"file"`    // a TrueType or OpenType file, relative to the style's own; LoadStyle reads it into Data
	Data    []byte  `json:"data"`    // the file itself, in base64
	Size    float64 `json:"size"`    // of captions; 0 for what suits the frame
	Weight  int     `json:"weight"`  // 100 to 900: 400 is regular, 700 bold
	Italic  bool    `json:"italic"`  // slanted
	Case    string  `json:"case"`    // as-spoken, upper, or lower
	Spacing float64 `json:"spacing"` // between letters
}

// StyleText is the look of letters.
type StyleText struct {
	Colour  Colour       `json:"colour"`
	Outline StyleOutline `json:"outline"`
	Shadow  StyleShadow  `json:"shadow"`
	Emoji   bool         `json:"emoji"` // draws emoji in colour; without it, they are left out
}

// StyleOutline is a line around letters.
type StyleOutline struct {
	Colour Colour  `json:"colour"`
	Width  float64 `json:"width"`
}

// StyleShadow is a shadow of letters.
type StyleShadow struct {
	Colour Colour  `json:"colour"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Blur   float64 `json:"blur"`
}

// StyleBox is a rectangle with round corners behind text. Without a Colour there is none.
type StyleBox struct {
	Colour  Colour  `json:"colour"`
	Radius  float64 `json:"radius"`
	Padding float64 `json:"padding"` // left and right of the text; half of it above and below
}

// StyleCaptionBox says where captions are, how long they are, and what is behind them.
type StyleCaptionBox struct {
	Show     bool     `json:"show"`
	Position string   `json:"position"` // bottom, middle, or top
	Align    string   `json:"align"`    // left, centre, or right
	Words    int      `json:"words"`    // per caption, at most half as many more where words belong together; 0 for what suits the frame
	Lines    int      `json:"lines"`    // at most
	Box      StyleBox `json:"box"`
	BoxOf    string   `json:"box_of"` // what has a box: line, caption, or word
}

// StyleHighlight is the look of the spoken word.
type StyleHighlight struct {
	Kind     string   `json:"kind"`     // none, colour, pill, underline, or fill: words that were spoken keep the colour
	Colour   Colour   `json:"colour"`   // of the letters of the spoken word; "" keeps theirs
	Box      StyleBox `json:"box"`      // of a pill; its colour is that of an underline, too
	Scale    float64  `json:"scale"`    // of the spoken word: 1 keeps its size
	Unspoken Colour   `json:"unspoken"` // of words that weren't spoken yet; "" keeps theirs, "#00000000" hides them
	GlideMS  int      `json:"glide_ms"` // how long a pill or underline moves to the next word; 0 jumps
}

// StyleMotion is how captions and titles appear.
type StyleMotion struct {
	Entrance   string `json:"entrance"`    // none, pop, rise, or fade
	Of         string `json:"of"`          // what appears: word or caption
	EntranceMS int    `json:"entrance_ms"` // how long it takes, 80 to 400
	Ease       string `json:"ease"`        // out, back (beyond the end, and back), or linear
}

// StyleEmphasis marks key words: numbers, names, and words of the request.
type StyleEmphasis struct {
	Colour  Colour  `json:"colour"` // "" for none
	Scale   float64 `json:"scale"`  // 1 keeps the size
	Numbers bool    `json:"numbers"`
	Names   bool    `json:"names"`
}

// StyleSpeakers tells speakers apart.
type StyleSpeakers struct {
	Colours []Colour `json:"colours"` // by order of appearance, again from the first after the last
	Paint   string   `json:"paint"`   // what gets the speaker's colour: nothing, text, highlight, or box
	Plates  bool     `json:"plates"`  // shows the speaker's name above captions
	Sides   bool     `json:"sides"`   // captions of the second speaker are on the right, of the others on the left
}

// StyleTitleBox is the look of the title.
type StyleTitleBox struct {
	Show    string   `json:"show"`    // always, start, or never
	Seconds float64  `json:"seconds"` // how long it is shown at the start
	Size    float64  `json:"size"`    // 0 for what suits the frame
	Colour  Colour   `json:"colour"`
	Case    string   `json:"case"` // as-written, upper, or lower
	Box     StyleBox `json:"box"`
	BoxOf   string   `json:"box_of"` // line or title
}

// StyleProgressBar shows how much of the clip has been played.
type StyleProgressBar struct {
	Position string  `json:"position"` // none, top, or bottom
	Height   float64 `json:"height"`
	Colour   Colour  `json:"colour"`
	Track    Colour  `json:"track"` // of what is left; "" for none
}

// StyleLogo is a picture in a corner.
type StyleLogo struct {
	File    string  `json:"file"`    // a PNG, relative to the style's own file; LoadStyle reads it into Data
	Data    []byte  `json:"data"`    // the file itself, in base64
	Corner  string  `json:"corner"`  // top-left, top-right, bottom-left, or bottom-right
	Width   float64 `json:"width"`   // the height follows
	Margin  float64 `json:"margin"`  // from the edges
	Opacity float64 `json:"opacity"` // 0 to 1
}

// StyleBackground is what is behind the picture of a clip that doesn't fill the frame, and behind an audiogram.
type StyleBackground struct {
	Kind    string   `json:"kind"`    // auto (blur for clips, cover for audiograms), colour, gradient, picture, blur, or cover: a gradient of the cover's colour
	Colours []Colour `json:"colours"` // one, or the two ends of a gradient
	Angle   float64  `json:"angle"`   // of a gradient, in degrees; 0 is downwards
	File    string   `json:"file"`    // a PNG or JPEG, relative to the style's own file; LoadStyle reads it into Data
	Data    []byte   `json:"data"`    // the file itself, in base64
	Cover   string   `json:"cover"`   // shape of an audiogram's cover art: square, circle, or none
}

// StyleWave is what an audiogram shows of its sound.
type StyleWave struct {
	Kind     string `json:"kind"`     // none, bars, levels (bars that dance), line, or circle
	Colour   Colour `json:"colour"`   // of what was played
	Rest     Colour `json:"rest"`     // of what wasn't
	Chapters bool   `json:"chapters"` // marks where chapters begin, and shows the title of the one that plays
}

// StyleCut is how the sound begins and ends.
type StyleCut struct {
	FadeMS   int `json:"fade_ms"`   // 0, or 20 to 80
	HandleMS int `json:"handle_ms"` // how much silence is kept before and after the window, at most 150; never another word
}
