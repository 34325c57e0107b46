// Captions as in Remotion's TikTok template: pages of about 1.2 s, the spoken word green, and a spring at the beginning of each page.
import { createTikTokStyleCaptions } from '@remotion/captions';
import { AbsoluteFill, OffthreadVideo, Sequence, interpolate, spring, staticFile, useCurrentFrame, useVideoConfig } from 'remotion';

const pageTime = 1200;

const Page = ({ page }) => {
	const frame = useCurrentFrame();
	const { fps } = useVideoConfig();
	const enter = spring({ frame, fps, config: { damping: 200 }, durationInFrames: 5 });
	const now = page.startMs + (frame / fps) * 1000;
	return (
		<AbsoluteFill style={{ justifyContent: 'center', alignItems: 'center', top: undefined, bottom: 350, height: 300 }}>
			<div style={{
				fontFamily: 'Clip', fontSize: 88, color: 'white', WebkitTextStroke: '20px black', paintOrder: 'stroke', textTransform: 'uppercase',
				textAlign: 'center', width: '80%', transform: `scale(${interpolate(enter, [0, 1], [0.8, 1])}) translateY(${interpolate(enter, [0, 1], [50, 0])}px)`,
			}}>
				{page.tokens.map((token) => (
					<span key={token.fromMs} style={{ whiteSpace: 'pre-wrap', color: token.fromMs <= now && token.toMs > now ? '#39E508' : 'white' }}>{token.text}</span>
				))}
			</div>
		</AbsoluteFill>
	);
};

export const Clip = ({ captions }) => {
	const { fps } = useVideoConfig();
	const { pages } = createTikTokStyleCaptions({ captions, combineTokensWithinMilliseconds: pageTime });
	return (
		<AbsoluteFill style={{ backgroundColor: 'black' }}>
			<style>{`@font-face { font-family: Clip; src: url(${staticFile('font.ttf')}); }`}</style>
			<OffthreadVideo src={staticFile('talk.mp4')} style={{ width: '100%', height: '100%', objectFit: 'cover' }} />
			{pages.map((page, i) => {
				const from = Math.round((page.startMs / 1000) * fps);
				const length = Math.round((page.durationMs / 1000) * fps);
				return length > 0 && <Sequence key={i} from={from} durationInFrames={length}><Page page={page} /></Sequence>;
			})}
		</AbsoluteFill>
	);
};
