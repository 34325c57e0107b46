# The sandbox in a container, for CI and for laptops:
#
#   docker build -t soundstage .
#   docker run --rm -p 127.0.0.1:8765:8765 soundstage
#   docker run --rm -p 127.0.0.1:8765:8765 -e SOUNDSTAGE_CLOCK=real -e SOUNDSTAGE_DATA=/data -v soundstage:/data soundstage
#
# Every flag of serve may be given behind the image's name or as a variable. Flags for the address leave the health check in the dark: set
# SOUNDSTAGE_ADDR instead.

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY cmd cmd
COPY diarize diarize
COPY emulator emulator
COPY engine engine
COPY formats formats
COPY render render
RUN go build -trimpath -ldflags '-s -w' -o /soundstage ./cmd/soundstage

FROM debian:bookworm-slim
# ffmpeg and the fonts of documents and captions (.ci/setup has the same), and certificates for downloads.
# hadolint ignore=DL3008
RUN apt-get update \
	&& apt-get install -y --no-install-recommends ca-certificates ffmpeg fontconfig fonts-noto-cjk fonts-noto-core \
	&& rm -rf /var/lib/apt/lists/* \
	&& useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin soundstage \
	&& install -d -m 0700 -o soundstage -g soundstage /data
COPY --from=build /soundstage /usr/local/bin/soundstage

# A container is reached from outside, so it listens on every address of its own; who gets there is up to the ports that are
# published. The sandbox's secrets are known to everybody: publish to 127.0.0.1, or take the last variable away and give secrets of your
# own (SOUNDSTAGE_SECRET_FILE).
ENV SOUNDSTAGE_ADDR=0.0.0.0:8765 \
	SOUNDSTAGE_ALLOW_SANDBOX_SECRETS=true

USER 10001:10001
# Nothing is kept unless SOUNDSTAGE_DATA says so; this is the folder for it.
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=5s --timeout=4s --start-period=10s --retries=3 CMD ["soundstage", "healthcheck"]
ENTRYPOINT ["soundstage", "serve"]
