// Renders an audiogram with videoshow: a picture, the audio, and burnt-in subtitles.
const [picture, sound, subtitles, seconds, out] = process.argv.slice(2)
require('videoshow')([{ path: picture, loop: Number(seconds) }], {
  fps: 30, transition: false, size: '1080x1920', videoBitrate: 1024, videoCodec: 'libx264', audioBitrate: '128k',
  audioChannels: 2, format: 'mp4', pixelFormat: 'yuv420p',
}).audio(sound).subtitles(subtitles).save(out)
  .on('error', (err, _, stderr) => { console.error(err, stderr); process.exit(1) })
