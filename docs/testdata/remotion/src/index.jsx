import { Composition, registerRoot } from 'remotion';
import { Clip } from './clip.jsx';

// size and fps are those of a clip of soundstage.
const Root = () => (
	<Composition id="clip" component={Clip} width={1080} height={1920} fps={30} durationInFrames={360} defaultProps={{ captions: [], seconds: 12 }}
		calculateMetadata={({ props }) => ({ durationInFrames: Math.round(props.seconds * 30) })} />
);

registerRoot(Root);
