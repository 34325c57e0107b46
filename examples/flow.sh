#!/bin/sh
# The whole workflow with curl: upload → recording → webhook → transcript → render.
#
#   soundstage exec --allow-private-urls -- sh examples/flow.sh talk.mp4 out
#
# It needs curl, jq (to read JSON), openssl (to verify the signature) and perl (to receive one request).
set -eu
: "${SOUNDSTAGE_URL:?run this script with soundstage exec}" "${SOUNDSTAGE_SECRET:?run this script with soundstage exec}"
media=$1
out=${2:-.}
mkdir -p "$out"
tmp=$(mktemp -d)
receiver=
trap '[ -z "$receiver" ] || kill "$receiver" 2>/dev/null || true; rm -rf "$tmp"' EXIT

# api METHOD PATH [JSON]: sends a request to the API. It prints an error's body, which says what is wrong.
api() {
	curl -sS --fail-with-body -X "$1" "$SOUNDSTAGE_URL$2" -H "Authorization: Bearer $SOUNDSTAGE_SECRET" ${3:+-d "$3"}
}

# 1. Start a receiver for one webhook: it writes the headers and the exact body to files. In production, this is your web
# server.
perl -MIO::Socket::INET -e '
	alarm 120;
	my $server = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 5) or die "cannot listen: $!";
	open(my $f, ">", "$ARGV[0]/port.part"); print $f $server->sockport; close $f;
	rename "$ARGV[0]/port.part", "$ARGV[0]/port";
	my $client = $server->accept; my %header; <$client>;
	while (my $line = <$client>) { last if $line =~ /^\r?\n$/; $header{lc $1} = $2 if $line =~ /^([^:]+):\s*(.*?)\r?\n$/ }
	read $client, my $body, $header{"content-length"};
	$header{body} = $body;
	for ("webhook-id", "webhook-timestamp", "webhook-signature", "body") { open($f, ">", "$ARGV[0]/$_"); print $f $header{$_}; close $f }
	print $client "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
' "$tmp" &
receiver=$!
until [ -s "$tmp/port" ]; do kill -0 "$receiver"; sleep 0.1; done

# 2. Subscribe the receiver. The response is the only one with the webhook's secret.
hook=$(api POST /v1/webhooks '{"url":"http://127.0.0.1:'"$(cat "$tmp/port")"'/hook","events":["transcript.completed"]}')
secret=$(echo "$hook" | jq -r .webhook.secret)
echo "webhook: $(echo "$hook" | jq -r .webhook.id)"

# 3. Upload: reserve an object, then PUT the bytes to the signed URL with the declared type and without the secret.
case $media in
*.mp4) type=video/mp4 ;;
*.m4a) type=audio/mp4 ;;
*.mp3) type=audio/mpeg ;;
*) type=audio/wav ;;
esac
upload=$(api POST /v1/uploads "$(jq -nc --arg name "${media##*/}" --arg type $type --argjson size "$(wc -c <"$media")" \
	'{filename: $name, content_type: $type, content_size: $size}')")
curl -sS --fail-with-body -T "$media" -H "Content-Type: $type" "$(echo "$upload" | jq -r .upload_url)"
object=$(echo "$upload" | jq -r .object_id)
echo "uploaded: $object"

# 4. Create a recording, which starts the transcription.
recording=$(api POST /v1/recordings "$(jq -nc --arg object "$object" '{object_id: $object}')" | jq -r .recording.id)
echo "recording: $recording"

# 5. Wait for the webhook, and verify its signature and its age before use (Standard Webhooks).
wait "$receiver"
receiver=
key=$(printf %s "${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
want=v1,$({ printf %s. "$(cat "$tmp/webhook-id")" "$(cat "$tmp/webhook-timestamp")"; cat "$tmp/body"; } |
	openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
case " $(cat "$tmp/webhook-signature") " in
*" $want "*) ;;
*) echo "the signature is invalid" >&2; exit 1 ;;
esac
age=$(($(date +%s) - $(cat "$tmp/webhook-timestamp")))
[ "${age#-}" -le 300 ] || { echo "the webhook is $age seconds old" >&2; exit 1; }
[ "$(jq -r .data.recording_id "$tmp/body")" = "$recording" ] || { echo "the webhook is about another recording" >&2; exit 1; }
echo "verified: $(jq -r .type "$tmp/body")"

# 6. Save the transcript as captions.
api GET "/v1/recordings/$recording/transcript?format=vtt" >"$out/talk.vtt"
echo "transcript: $out/talk.vtt"

# 7. Render a captioned clip of the first 12 s.
render=$(api POST /v1/renders "$(jq -nc --arg id "$recording" '{recording_id: $id, start_ms: 0, end_ms: 12000, aspect_ratio: "1:1"}')")
while [ "$(echo "$render" | jq -r .render.status)" = rendering ]; do
	sleep 0.2
	render=$(api GET "/v1/renders/$(echo "$render" | jq -r .render.id)")
done
[ "$(echo "$render" | jq -r .render.status)" = completed ] || { echo "$render" >&2; exit 1; }
curl -sS --fail-with-body -o "$out/clip.mp4" "$(echo "$render" | jq -r .render.asset_url)"
echo "render: $out/clip.mp4"
