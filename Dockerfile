# A container image of the sandbox, for CI and laptops:
#
#   docker build -t soundstage .
#   docker run --rm -p 127.0.0.1:8765:8765 soundstage
#   docker run --rm -p 127.0.0.1:8765:8765 -e SOUNDSTAGE_CLOCK=real -e SOUNDSTAGE_DATA=/data -v soundstage:/data soundstage
#
# The image above has ffmpeg and fonts. A slim one is a tenth of its size, has neither, and transcribes WAV files only:
#
#   docker build --target slim -t soundstage:slim .
#
# Give flags of serve after the image's name, or set them as environment variables. Set the address with SOUNDSTAGE_ADDR, not with --addr:
# the health check reads the variable.

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY assistant assistant
COPY cmd cmd
COPY diarize diarize
COPY emulator emulator
COPY engine engine
COPY formats formats
COPY internal internal
COPY node node
COPY render render
RUN go build -trimpath -ldflags '-s -w' -o /soundstage ./cmd/soundstage

FROM build AS static
RUN CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /soundstage ./cmd/soundstage \
	&& install -d -m 0700 -o 10001 -g 10001 /slim/data \
	&& install -d -m 1777 /slim/tmp

FROM scratch AS slim
COPY --from=static /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=static /slim /
COPY --from=static /soundstage /usr/local/bin/soundstage
ENV PATH=/usr/local/bin \
	SOUNDSTAGE_ADDR=0.0.0.0:8765 \
	SOUNDSTAGE_ALLOW_SANDBOX_SECRETS=true \
	SOUNDSTAGE_FFMPEG_OPTIONAL=true
USER 10001:10001
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=5s --timeout=4s --start-period=10s --retries=3 CMD ["soundstage", "healthcheck"]
ENTRYPOINT ["soundstage", "serve"]

FROM debian:bookworm-slim
# ffmpeg, fonts for documents and captions (the same as in .ci/setup), and certificates for downloads.
# hadolint ignore=DL3008
RUN apt-get update \
	&& apt-get install -y --no-install-recommends ca-certificates ffmpeg fontconfig fonts-noto-cjk fonts-noto-core \
	&& rm -rf /var/lib/apt/lists/* \
	&& useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin soundstage \
	&& install -d -m 0700 -o soundstage -g soundstage /data
COPY --from=build /soundstage /usr/local/bin/soundstage

# The sandbox listens on all addresses of the container; published ports decide who can reach it. The sandbox's secrets are public.
# Publish the port to 127.0.0.1 only, or unset SOUNDSTAGE_ALLOW_SANDBOX_SECRETS and set your own secrets with SOUNDSTAGE_SECRET_FILE.
ENV SOUNDSTAGE_ADDR=0.0.0.0:8765 \
	SOUNDSTAGE_ALLOW_SANDBOX_SECRETS=true

USER 10001:10001
# Data is stored only if SOUNDSTAGE_DATA is set. Set it to this folder.
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=5s --timeout=4s --start-period=10s --retries=3 CMD ["soundstage", "healthcheck"]
ENTRYPOINT ["soundstage", "serve"]
