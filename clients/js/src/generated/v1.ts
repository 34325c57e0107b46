// Generated from emulator/api/openapi.yaml by scripts/generate.mjs. Do not edit.

export interface paths {
    "/storage/{object_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the video of a completed render.
         * @description The URL is the `asset_url` of a render, including its query. It is valid for 1 h and supports range requests.
         */
        get: operations["getObject"];
        /**
         * Upload the bytes to the signed URL.
         * @description The URL is the `upload_url` of an upload, including its query. It stands for storage outside the service: it needs no API secret
         *     (and ignores one) and responds in XML, as Google Cloud Storage does. Another PUT replaces the bytes until a recording is created
         *     from them.
         */
        put: operations["putObject"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a question about 1 to 10 recordings.
         * @description The answer is grounded in the transcripts of these recordings, which must be completed.
         */
        post: operations["createChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Poll a chat until its status is `completed`.
         * @description `answer` is null until the chat is completed. If the backend fails permanently, the answer says so.
         */
        get: operations["getChat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a recording from a public URL.
         * @description Accepts direct media URLs, cloud-drive links, and pages of video-sharing, short-video, and audio-streaming sites that the server
         *     can resolve. Download, transcription, and content generation run asynchronously.
         */
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Poll an import.
         * @description `completed` means that the recording exists. Its transcription continues and ends with `transcript.completed`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/outputs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Poll an output.
         * @description Poll it until `status` is `completed`, `failed`, or `canceled`, or wait for `output.completed`.
         */
        get: operations["getOutput"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prompts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the prompt library of a space, oldest first.
         * @description The library holds the built-in prompts, then the custom recurring prompts.
         */
        get: operations["listPrompts"];
        put?: never;
        /**
         * Create a recurring prompt.
         * @description The prompt runs on every new recording in the space and can be run on demand.
         */
        post: operations["createPrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recordings, newest first.
         * @description To read all, pass each `next_cursor` as the next `cursor` until it is null. The cursor is opaque.
         */
        get: operations["listRecordings"];
        put?: never;
        /**
         * Create a recording from an uploaded object and start its transcription.
         * @description PUT the bytes to the `upload_url` first. Numbering is automatic. Content is generated too, if the space has that enabled.
         */
        post: operations["createRecording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one recording.
         * @description Poll it until `transcript_status` is `completed` or `error`, or wait for `transcript.completed`.
         */
        get: operations["getRecording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{id}/clip-suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suggested clips of a recording, best first.
         * @description The transcript must be completed. Render a suggestion of the kind `clip` by its ID.
         */
        get: operations["listClipSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{id}/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a custom prompt on a recording.
         * @description Set exactly one of `prompt_id` and `prompt`. The recording's transcript must be completed.
         */
        post: operations["generateOutput"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{id}/outputs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the generated content of a recording, oldest first.
         * @description `text` is Markdown for items that an AI has written.
         */
        get: operations["listRecordingOutputs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{id}/speakers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the labels of a recording's transcript with their assigned speakers.
         * @description Each label has the speaker that it is assigned to, or null.
         */
        get: operations["listRecordingSpeakers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{id}/speakers/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign a label of a recording's transcript to a speaker.
         * @description Replaces any existing assignment of the label. Exports and captions show the speaker's name from then on.
         */
        post: operations["assignSpeaker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{id}/speakers/unassign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the assignment of a label to a speaker.
         * @description Only the assignment of this label to this speaker is removed. Exports and captions show the label again.
         */
        post: operations["unassignSpeaker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{id}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the transcript of a recording in one of several formats.
         * @description The transcript must be completed. JSON has the raw labels of speakers; other formats have the names of assigned speakers.
         */
        get: operations["getRecordingTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/renders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a captioned clip or an audiogram from a segment of a recording.
         * @description Video recordings give a clip, audio recordings an audiogram. The window snaps to spoken words and may be at most 3 minutes long.
         *     Set either `start_ms` and `end_ms`, or the `suggestion_id` of a clip suggestion.
         */
        post: operations["createRender"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/renders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Poll a render.
         * @description Poll it until `status` is `completed` or `failed`. A completed render has a signed URL of its video.
         */
        get: operations["getRender"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search transcripts, titles, and generated content.
         * @description A hit contains every word of the query. Hits are grouped by kind, best first.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/spaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the spaces that the key's user belongs to.
         * @description Every list endpoint that takes a `space_id` accepts the IDs of these spaces. Write endpoints fall back to the key's default space.
         */
        get: operations["listSpaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/spaces/{space_id}/speakers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the speakers of a space, oldest first.
         * @description A speaker is a person in a space. Recordings map the labels of their transcripts to speakers.
         */
        get: operations["listSpeakers"];
        put?: never;
        /**
         * Create a speaker in a space.
         * @description `role` is the name of a role of the space; upper and lower case are the same.
         */
        post: operations["createSpeaker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/speakers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a speaker.
         * @description An absent field stays unchanged; null clears it.
         */
        patch: operations["updateSpeaker"];
        trace?: never;
    };
    "/v1/transcripts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transcribe a media URL and create nothing else.
         * @description Poll the transcript by its ID. Speakers are distinguished. It is no recording, and it sends no event.
         */
        post: operations["createTranscript"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transcripts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Poll the transcription of a URL.
         * @description Poll it until `status` is `completed` or `error`. These states never change.
         */
        get: operations["getTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reserve an object and get a signed upload URL.
         * @description PUT the raw bytes to `upload_url` within 30 min, then create a recording with `object_id`.
         */
        post: operations["createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage of the caller's plan.
         * @description Transcribed minutes of the current period, and stored bytes.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's webhooks, oldest first.
         * @description Secrets are shown only when a webhook is created and when its secret is rotated.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Subscribe a URL to events.
         * @description Events are posted to the URL as in Standard Webhooks 1.0.0, signed with the secret that this response shows once. The section
         *     `webhooks` of this document describes them.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one webhook.
         * @description The secret isn't shown. List the deliveries to see what the webhook has received.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook and its deliveries.
         * @description Deliveries that still wait are not sent.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update, disable, or enable a webhook.
         * @description Absent and null fields stay unchanged, except `description`, which null clears.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook with their attempts, newest first.
         * @description A delivery is removed within a day after it has been finished for 30 days. At most the newest 25 attempts of a delivery are kept.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again.
         * @description Sends the delivery with the same `webhook-id`, signed with the current secret, even if the webhook is disabled.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new secret.
         * @description For 24 h, deliveries are also signed with the old secret, so that receivers can switch without a gap.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook.
         * @description Sends the first of the webhook's events, with the nil UUID as every ID. It is signed, retried, and logged as usual.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "output.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A generated output finished.
         * @description Events arrive at least once, in any order. The body holds IDs; read the resources from the API.
         */
        post: operations["outputCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transcript.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The transcription of a recording finished.
         * @description Sent for uploaded and imported recordings, but not for `POST /v1/transcripts`. Events arrive at least once, in any order. The
         *     body holds IDs; read the resources from the API.
         */
        post: operations["transcriptCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description A label after it was assigned or unassigned. */
        Assignment: {
            label: string;
            recording_id: string;
            /** @description Null when the label is no longer assigned. */
            speaker: components["schemas"]["Speaker"] | null;
        };
        /** @description One try to send a delivery. */
        Attempt: {
            /** Format: date-time */
            at: string;
            /** Format: int64 */
            duration_ms: number;
            /** @description Why there was no response. */
            error: string | null;
            request_headers: {
                [key: string]: string;
            };
            /** @description The first 2 KiB; null when there is none, or when the receiver has a private address and the caller is not of the platform tier. */
            response_body: string | null;
            /** @description Null when there was no response. */
            status_code: number | null;
        };
        /** @description A question with its answer. */
        Chat: {
            /** @description Null until completed. An answer cites recordings by title and time, or says that it found nothing. (Both are assumed.) */
            answer: string | null;
            /** Format: uuid */
            chat_id: string;
            recording_ids: string[];
            status: components["schemas"]["ChatStatus"];
        };
        /**
         * @description The state of a chat.
         * @enum {string}
         */
        ChatStatus: "queued" | "completed";
        /** @description A completed transcription with its utterances. */
        CompletedTranscript: {
            /**
             * Format: int64
             * @description Whole seconds, rounded half up (the unit is assumed).
             */
            audio_duration: number;
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "completed";
            utterances: components["schemas"]["Utterance"][];
        };
        /** @description A hit in generated content. */
        ContentHit: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "content";
            output_id: string;
            output_type: components["schemas"]["OutputType"];
            recording_id: string;
            recording_title: string;
            /** @description Part of the generated text. */
            snippet: string;
        };
        /** @description An event on its way to a webhook. */
        Delivery: {
            /** @description Oldest first. */
            attempts: components["schemas"]["Attempt"][];
            /** Format: date-time */
            created_at: string;
            event: components["schemas"]["EventType"];
            /** @description The header `webhook-id`, the same for every attempt. */
            event_id: string;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "pending" | "retrying" | "delivered" | "failed";
        };
        /** @description One delivery. */
        DeliveryBody: {
            delivery: components["schemas"]["Delivery"];
        };
        /** @description The newest deliveries of a webhook. */
        DeliveryList: {
            count: number;
            deliveries: components["schemas"]["Delivery"][];
        };
        /** @description What every rejected request gets. */
        Error: {
            /** @description One sentence. */
            error: string;
        };
        /**
         * @description The type of an event.
         * @enum {string}
         */
        EventType: "transcript.completed" | "output.completed";
        /** @description The events that a webhook receives. */
        EventTypes: components["schemas"]["EventType"][];
        /** @description A transcription that failed, with the reason. */
        FailedTranscript: {
            /** @description One sentence. */
            error: string;
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "error";
        };
        /** @description An import and its progress. */
        Import: {
            /** @description Set when the status is `error` or `canceled`. */
            error: string | null;
            import_id: string;
            /**
             * Format: double
             * @description Never decreases.
             */
            progress: number;
            /** @description Set once the recording exists. */
            recording_id: string | null;
            /** @description A source kind; always `url` in this API. */
            source: string;
            /** @enum {string} */
            status: "queued" | "processing" | "completed" | "error" | "canceled";
            title: string | null;
            /** @description The submitted URL. */
            url: string;
        };
        /** @description A label of a transcript, with its assigned speaker. */
        Label: {
            label: string;
            /** @description Null when the label is not assigned. */
            speaker: components["schemas"]["Speaker"] | null;
        };
        /** @description The labels of a recording's transcript. */
        LabelList: {
            count: number;
            recording_id: string;
            speakers: components["schemas"]["Label"][];
        };
        /**
         * @description A supported language.
         * @enum {string}
         */
        LanguageCode: "en" | "de" | "es" | "fr" | "hi" | "id" | "it" | "ja" | "ko" | "nl" | "no" | "pl" | "pt" | "ru" | "sv" | "tr" | "uk" | "zh";
        /** @description A speaker in a space's list. */
        ListedSpeaker: {
            /** @description Generated after the first completed recording in which the speaker is assigned (the time is assumed); null before. */
            ai_summary: string | null;
            bio: string | null;
            email: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            pronouns: string | null;
            /** @description Role name. */
            role: string | null;
            /** @description Role ID, as in an update. (Its presence here is assumed.) */
            speaker_role_id: string | null;
        };
        /** @description A label and a speaker. */
        NewAssignment: {
            /** @description A label of the recording's transcript. */
            label: string;
            /** @description A speaker of the recording's space. */
            speaker_id: string;
        };
        /** @description A question about recordings. */
        NewChat: {
            /** @description The question, at most 10,000 characters. */
            message: string;
            recording_ids: string[];
        };
        /** @description A URL to import. */
        NewImport: {
            /** @description Default: the key's default space. */
            space_id?: string | null;
            /** @description Title for the recording; default what the source calls it. */
            title?: string | null;
            /** @description Public http or https URL. */
            url: string;
        };
        /** @description A prompt to run on a recording. Exactly one of `prompt_id` and `prompt` is set. */
        NewOutput: {
            /** @description Name of the one-off prompt. */
            name?: string | null;
            /** @description The text of a one-off prompt, at most 10,000 characters. */
            prompt?: string | null;
            /** @description A custom prompt of the recording's space. */
            prompt_id?: string | null;
        };
        /** @description A recurring prompt to create. */
        NewPrompt: {
            description?: string | null;
            name: string;
            /** @description The prompt text, at most 10,000 characters. */
            prompt: string;
            /** @description Default: the key's default space. */
            space_id?: string | null;
        };
        /** @description A recording to create from an uploaded object. */
        NewRecording: {
            context_prompt?: string | null;
            /** @description A supported language code. Default: the space's language. */
            language?: string | null;
            object_id: string;
            /** @description Default: the upload's space. */
            space_id?: string | null;
            speakers_expected?: number | null;
            /** @description Default the upload's title, then its file name. */
            title?: string | null;
        };
        /** @description A segment to render: a window or a suggestion. */
        NewRender: {
            /** @description 9:16 (default), 1:1, 16:9, 4:5, or original. */
            aspect_ratio?: string | null;
            /**
             * Format: int64
             * @description Required unless suggestion_id is given.
             */
            end_ms?: number | null;
            recording_id: string;
            /**
             * Format: int64
             * @description Required unless suggestion_id is given.
             */
            start_ms?: number | null;
            suggestion_id?: string | null;
            /** @description Overlay title. */
            title?: string | null;
        };
        /** @description A webhook with its new secret. */
        NewSecretWebhook: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            disabled: boolean;
            events: components["schemas"]["EventTypes"];
            /** Format: uuid */
            id: string;
            /** @description Shown only once. */
            secret: string;
            /** @description Null for all spaces of the user. */
            space_id: string | null;
            /** Format: date-time */
            updated_at: string;
            url: string;
        };
        /** @description A speaker to create. */
        NewSpeaker: {
            bio?: string | null;
            email?: string | null;
            /** @description Avatar emoji. */
            emoji?: string | null;
            name: string;
            pronouns?: string | null;
            /** @description Name of a role in the space. A new space has Host, Guest, Producer, and Panelist. */
            role?: string | null;
        };
        /** @description A media URL to transcribe. */
        NewTranscript: {
            boosted_words?: string[] | null;
            /** @description A supported language code. Default `en`, unless `language_detection` is true. */
            language_code?: string | null;
            /** @description Overridden by `language_code`. */
            language_detection?: boolean | null;
            url: string;
        };
        /** @description A file to upload. */
        NewUpload: {
            /**
             * Format: int64
             * @description Bytes, at most 10,000,000,000.
             */
            content_size: number;
            /** @description MIME type. */
            content_type: string;
            filename: string;
            /** @description Default: the key's default space. */
            space_id?: string | null;
            /** @description Carried to the recording. */
            title?: string | null;
        };
        /** @description A URL to send events to. */
        NewWebhook: {
            description?: string | null;
            events: components["schemas"]["EventTypes"];
            /** @description Only events of this space. Default: all spaces of the user. */
            space_id?: string | null;
            /** @description Public http or https URL. */
            url: string;
        };
        /** @description Content generated from a recording. */
        Output: {
            /** Format: date-time */
            created_at: string;
            /** @description Set when the status is `failed` or `canceled`. */
            error: string | null;
            /** @description Name of the prompt; null for a one-off prompt without a name. */
            name: string | null;
            /** Format: uuid */
            output_id: string;
            output_type: components["schemas"]["OutputType"];
            /** @description Null for a one-off prompt (assumed). */
            prompt_id: string | null;
            recording_id: string;
            status: components["schemas"]["OutputStatus"];
            /** @description Markdown; null until completed (which is assumed). */
            text: string | null;
        };
        /** @description The outputs of a recording. */
        OutputList: {
            count: number;
            outputs: components["schemas"]["Output"][];
            recording_id: string;
        };
        /**
         * @description The state of an output.
         * @enum {string}
         */
        OutputStatus: "queued" | "retrying" | "completed" | "failed" | "canceled";
        /**
         * @description `dynamic` for a custom prompt, else the type of the built-in prompt: `episode_overview`, `quotes`, `key_topics`, `chapters`, or
         *     `social_posts` (the last four are assumed). Other values may follow.
         */
        OutputType: string;
        /** @description A transcription in progress. */
        ProcessingTranscript: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "processing";
        };
        /** @description A prompt of a space's library. */
        Prompt: {
            description: string | null;
            /** @description A disabled prompt does not run on new recordings. */
            disabled: boolean;
            /** Format: uuid */
            id: string;
            name: string;
            prompt: string;
            type: components["schemas"]["OutputType"];
        };
        /** @description One prompt. */
        PromptBody: {
            prompt: components["schemas"]["Prompt"];
        };
        /** @description The prompt library of a space. */
        PromptList: {
            count: number;
            prompts: components["schemas"]["Prompt"][];
            space: components["schemas"]["SpaceRef"];
        };
        /** @description A chat that was queued. */
        QueuedChat: {
            /** Format: uuid */
            chat_id: string;
            status: components["schemas"]["ChatStatus"];
        };
        /** @description An output that was queued. */
        QueuedOutput: {
            /** Format: uuid */
            output_id: string;
            output_type: components["schemas"]["OutputType"];
            /** @description Null for a one-off prompt (assumed). */
            prompt_id: string | null;
            status: components["schemas"]["OutputStatus"];
        };
        /** @description A transcription that waits. */
        QueuedTranscript: {
            /** Format: uuid */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "queued";
        };
        /** @description A piece of audio or video in a space, with its transcript. */
        Recording: {
            /** Format: date-time */
            created_at: string;
            /**
             * Format: int64
             * @description Rounded half up; at least 1 once the duration is known, 0 before. (The rounding is assumed.)
             */
            duration_minutes: number;
            episode_number: number | null;
            /** @description True only when `transcript_status` is `completed`. */
            has_transcript: boolean;
            /** Format: uuid */
            id: string;
            language: components["schemas"]["LanguageCode"];
            /** Format: int64 */
            number: number;
            /**
             * Format: date-time
             * @description When the recording appeared in the service, its creation time. A feed's own date is `rss.published_at`.
             */
            published_at: string | null;
            rss: components["schemas"]["RSS"] | null;
            season_number: number | null;
            space: components["schemas"]["SpaceRef"];
            title: string;
            /**
             * @description `queued` and `error` are assumed; the others are specified.
             * @enum {string}
             */
            transcript_status: "queued" | "processing" | "completed" | "error";
        };
        /** @description One recording. */
        RecordingBody: {
            recording: components["schemas"]["Recording"];
        };
        /** @description A hit in a title. */
        RecordingHit: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "recording";
            recording_id: string;
            recording_title: string;
            /** @description Part of the title. */
            snippet: string;
        };
        /** @description A page of recordings. */
        RecordingList: {
            /** @description Number of items on this page. */
            count: number;
            next_cursor: string | null;
            recordings: components["schemas"]["Recording"][];
        };
        /** @description The transcript of a recording. */
        RecordingTranscript: {
            /**
             * Format: int64
             * @description Whole seconds.
             */
            audio_duration: number;
            language: components["schemas"]["LanguageCode"];
            recording_id: string;
            utterances: components["schemas"]["Utterance"][];
        };
        /** @description A captioned clip or an audiogram. */
        Render: {
            /** @enum {string} */
            aspect_ratio: "9:16" | "1:1" | "16:9" | "4:5" | "original";
            /** @description Null until completed; then a signed URL that is valid for 1 h. */
            asset_url: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: int64
             * @description End of the snapped window.
             */
            end_ms: number;
            /** Format: uuid */
            id: string;
            message: string;
            /**
             * Format: double
             * @description Never decreases.
             */
            progress: number;
            /**
             * Format: int64
             * @description Start of the snapped window.
             */
            start_ms: number;
            /** @enum {string} */
            status: "rendering" | "completed" | "failed";
            /** @description `captions` for video, `audiogram` for audio (assumed). */
            style: string;
        };
        /** @description One render. */
        RenderBody: {
            render: components["schemas"]["Render"];
        };
        /** @description The feed item that a recording was imported from. */
        RSS: {
            episode_number: number | null;
            guid: string;
            /** Format: date-time */
            published_at: string;
        };
        /** @description A hit. `kind` says where it was found. */
        SearchResult: components["schemas"]["TranscriptHit"] | components["schemas"]["RecordingHit"] | components["schemas"]["ContentHit"];
        /** @description The hits of a search. */
        SearchResults: {
            count: number;
            /** @description The submitted query. */
            query: string;
            results: components["schemas"]["SearchResult"][];
        };
        /** @description A top-level container for recordings, prompts, and speakers. */
        Space: {
            id: string;
            language: components["schemas"]["LanguageCode"];
            name: string;
        };
        /** @description The caller's spaces. */
        SpaceList: {
            count: number;
            spaces: components["schemas"]["Space"][];
        };
        /** @description The space of another resource. */
        SpaceRef: {
            id: string;
            name: string;
        };
        /** @description A person in a space. */
        Speaker: {
            /** @description Generated after the first completed recording in which the speaker is assigned (the time is assumed); null before. */
            ai_summary: string | null;
            bio: string | null;
            email: string | null;
            emoji: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            pronouns: string | null;
            /** @description Role name. */
            role: string | null;
            /** @description Role ID, as in an update. (Its presence here is assumed.) */
            speaker_role_id: string | null;
        };
        /** @description One speaker. */
        SpeakerBody: {
            speaker: components["schemas"]["Speaker"];
        };
        /** @description The fields of a speaker to change. */
        SpeakerChange: {
            bio?: string | null;
            email?: string | null;
            emoji?: string | null;
            name?: string;
            pronouns?: string | null;
            /** @description ID of a role in the speaker's space. */
            speaker_role_id?: string | null;
        };
        /** @description The speakers of a space. */
        SpeakerList: {
            count: number;
            space: components["schemas"]["SpaceRef"];
            speakers: components["schemas"]["ListedSpeaker"][];
        };
        /** @description Transcribed speech. */
        SpeechUsage: {
            /** @description Usage carries over to the next period. (Type and meaning are assumed.) */
            cumulative: boolean;
            /**
             * Format: int64
             * @description Null when unlimited (assumed).
             */
            limit: number | null;
            /**
             * Format: double
             * @description Percentage of the limit, with one decimal; null when unlimited (assumed).
             */
            percentage: number | null;
            /**
             * Format: date-time
             * @description Start of the next period.
             */
            period_end: string;
            /** Format: date-time */
            period_start: string;
            /** @enum {string} */
            unit: "minute";
            unlimited: boolean;
            /**
             * Format: int64
             * @description Transcribed minutes in the period; a started minute counts as a whole one.
             */
            used: number;
        };
        /** @description Stored media. */
        StorageUsage: {
            /**
             * Format: int64
             * @description Uploads and imports beyond it are rejected.
             */
            hard_limit_bytes: number;
            /**
             * Format: double
             * @description Percentage of the soft limit, with one decimal; null when there is none (assumed).
             */
            percentage: number | null;
            /** Format: int64 */
            soft_limit_bytes: number;
            unlimited: boolean;
            /**
             * Format: int64
             * @description Stored and reserved bytes.
             */
            used_bytes: number;
        };
        /** @description A segment of a recording that makes a good clip. */
        Suggestion: {
            /**
             * Format: int64
             * @description Null for a carousel.
             */
            end_ms: number | null;
            /** @description Transcript excerpt. */
            excerpt: string;
            /** Format: uuid */
            id: string;
            /**
             * @description Only a clip can be rendered.
             * @enum {string}
             */
            kind: "clip" | "carousel";
            score: number;
            /**
             * Format: int64
             * @description Null for a carousel.
             */
            start_ms: number | null;
            title: string;
        };
        /** @description The suggested clips of a recording. */
        SuggestionList: {
            count: number;
            recording_id: string;
            suggestions: components["schemas"]["Suggestion"][];
        };
        /**
         * @description A tier of plans. Each includes the lower ones.
         * @enum {string}
         */
        Tier: "none" | "core" | "automation" | "platform";
        /** @description The plan has no API access; or its tier is too low, and then the two tiers are present. */
        TierError: {
            /** @description The tier of the caller's plan. */
            current_tier?: components["schemas"]["Tier"];
            /** @description One sentence. */
            error: string;
            /** @description The lowest tier that has the operation. */
            required_tier?: components["schemas"]["Tier"];
        };
        /** @description The transcription of a URL. `status` says which fields are present. */
        Transcript: components["schemas"]["QueuedTranscript"] | components["schemas"]["ProcessingTranscript"] | components["schemas"]["CompletedTranscript"] | components["schemas"]["FailedTranscript"];
        /** @description A hit in a transcript. */
        TranscriptHit: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "transcript";
            recording_id: string;
            recording_title: string;
            /** @description Transcript text around the first matching word. */
            snippet: string;
            /**
             * Format: int64
             * @description Start of that word.
             */
            start_ms: number;
        };
        /** @description A reserved object, with the signed URL for its bytes. */
        Upload: {
            object_id: string;
            space_id: string;
            /** Format: uri */
            upload_url: string;
            /** @constant */
            upload_url_expires_in_seconds: 1800;
        };
        /** @description Usage and limits of the caller's plan. */
        Usage: {
            api_tier: components["schemas"]["Tier"];
            /** @description `active`; other values are unknown. */
            plan_status: string;
            storage: components["schemas"]["StorageUsage"];
            usage: components["schemas"]["SpeechUsage"];
        };
        /** @description A paragraph of one speaker. */
        Utterance: {
            /** Format: double */
            confidence: number;
            /**
             * Format: int64
             * @description Milliseconds.
             */
            end: number;
            speaker: string;
            /** @description Name of the assigned speaker; absent if none is assigned. */
            speaker_name?: string;
            /**
             * Format: int64
             * @description Milliseconds.
             */
            start: number;
            text: string;
            words: components["schemas"]["Word"][];
        };
        /** @description Every invalid field of a new transcript. */
        ValidationError: {
            errors: {
                [key: string]: string[];
            };
            /** @constant */
            valid: false;
        };
        /** @description A subscription of a URL to events. */
        Webhook: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            /** @description Set by an update, or because the receiver responded with 410. */
            disabled: boolean;
            events: components["schemas"]["EventTypes"];
            /** Format: uuid */
            id: string;
            /** @description Null for all spaces of the user. */
            space_id: string | null;
            /** Format: date-time */
            updated_at: string;
            url: string;
        };
        /** @description One webhook. */
        WebhookBody: {
            webhook: components["schemas"]["Webhook"];
        };
        /** @description The fields of a webhook to change. */
        WebhookChange: {
            description?: string | null;
            /** @description A disabled webhook receives nothing. */
            disabled?: boolean | null;
            events?: components["schemas"]["EventType"][] | null;
            url?: string | null;
        };
        /** @description The caller's webhooks. */
        WebhookList: {
            count: number;
            webhooks: components["schemas"]["Webhook"][];
        };
        /** @description One webhook, with its secret. */
        WebhookSecretBody: {
            webhook: components["schemas"]["NewSecretWebhook"];
        };
        /** @description A spoken word. */
        Word: {
            /** Format: double */
            confidence: number;
            /**
             * Format: int64
             * @description Milliseconds.
             */
            end: number;
            speaker: string;
            /**
             * Format: int64
             * @description Milliseconds.
             */
            start: number;
            text: string;
        };
    };
    responses: {
        /** @description The state of a resource does not allow the request. For example, the object is already used, or the space is inactive. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "A recording was already created from this upload."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The receiver is permanently gone. The webhook is disabled. */
        EventGone: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The event was received. */
        EventReceived: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description The event was not received. It is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, and 24 h, or later if Retry-After
         *     says so. Redirects are not followed. An attempt without a response within 15 s has failed.
         */
        EventRefused: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The plan has no API access, or its tier is too low. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TierError"];
            };
        };
        /** @description Internal error. Find it in the server's log by the X-Request-Id header. */
        Internal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Something went wrong on our side."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A parameter is missing, malformed, or out of range, or the cursor is not recognised. */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "limit must be a number of at least 1."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path does not support this method. */
        MethodNotAllowed: {
            headers: {
                /** @description The supported methods. */
                Allow?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "This path does not support this method; the Allow header lists the methods it supports."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server's disk is full. */
        NoSpace: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The disk is full."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist or belongs to another user. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "No recording with this id was found."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The key has sent too many requests. The sandbox limits requests only when started with a limit; then every response has the
         *     X-RateLimit headers.
         */
        RateLimited: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Ratelimit-Limit": components["headers"]["RateLimit"];
                "X-Ratelimit-Remaining": components["headers"]["RateRemaining"];
                "X-Ratelimit-Reset": components["headers"]["RateReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Too many requests: the limit of your plan is 60 per minute."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request would exceed the plan's storage hard limit. */
        StorageLimit: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "storage limit exceeded"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request body did not arrive in time. */
        Timeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The request body did not arrive in time."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request body is larger than 1 MiB. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The request body is larger than 1 MiB."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API secret is missing or invalid. */
        Unauthenticated: {
            headers: {
                /** @description RFC 6750. */
                "Www-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "An API secret is required in the Authorization header."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A required backend is not configured or does not respond, or stored data is damaged. */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Generation is not configured."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Name of the object, from the path of the signed URL.
         * @example obj_3f0c6f0e7b9e4a51a2a5f6b6b1a6a3c1
         */
        ObjectID: string;
        /** @description ID of the recording. */
        RecordingID: string;
        /**
         * @description Query of the signed URL, unchanged; here, the signature.
         * @example 9mYxq0mB1vV0wq5oJcXyQe3D0G8H2m4ZrJtX7l6sT1c
         */
        Signature: string;
        /**
         * @description Query of the signed URL, unchanged; here, when it expires.
         * @example 1777890600
         */
        SignedExpiry: string;
        /**
         * @description Query of the signed URL, unchanged; here, the key that signed it.
         * @example 1
         */
        SignedKey: string;
        /**
         * @description Query of the signed URL, unchanged; here, its length in bytes.
         * @example 2048000
         */
        SignedSize: string;
        /**
         * @description Query of the signed URL, unchanged; here, the type of the content.
         * @example video/mp4
         */
        SignedType: string;
        /** @description ID of the space. */
        SpaceID: string;
        /** @description ID of the webhook. */
        WebhookID: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Requests per minute that the key may send.
         * @example 60
         */
        RateLimit: number;
        /**
         * @description Requests left in the current minute.
         * @example 0
         */
        RateRemaining: number;
        /**
         * @description End of the current minute, in seconds since 1970.
         * @example 1777890600
         */
        RateReset: number;
        /**
         * @description Seconds to wait.
         * @example 17
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getObject: {
        parameters: {
            query?: {
                /**
                 * @description Query of the signed URL, unchanged; here, the type of the content.
                 * @example video/mp4
                 */
                ct?: components["parameters"]["SignedType"];
                /**
                 * @description Query of the signed URL, unchanged; here, when it expires.
                 * @example 1777890600
                 */
                exp?: components["parameters"]["SignedExpiry"];
                /**
                 * @description Query of the signed URL, unchanged; here, the key that signed it.
                 * @example 1
                 */
                kid?: components["parameters"]["SignedKey"];
                /**
                 * @description Query of the signed URL, unchanged; here, the signature.
                 * @example 9mYxq0mB1vV0wq5oJcXyQe3D0G8H2m4ZrJtX7l6sT1c
                 */
                sig?: components["parameters"]["Signature"];
                /**
                 * @description Query of the signed URL, unchanged; here, its length in bytes.
                 * @example 2048000
                 */
                size?: components["parameters"]["SignedSize"];
            };
            header?: {
                /**
                 * @description The part of the video to send.
                 * @example bytes=0-1023
                 */
                Range?: string;
            };
            path: {
                /**
                 * @description Name of the object, from the path of the signed URL.
                 * @example obj_3f0c6f0e7b9e4a51a2a5f6b6b1a6a3c1
                 */
                object_id: components["parameters"]["ObjectID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole video. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example the bytes of the video */
                    "video/mp4": string;
                };
            };
            /** @description The requested ranges of the video. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example the parts of the video */
                    "multipart/byteranges": string;
                    /** @example the bytes of the video */
                    "video/mp4": string;
                };
            };
            /** @description The client's copy is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The signature is invalid or expired. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>SignatureDoesNotMatch</Code><Message>The signature of this address is not valid.</Message></Error> */
                    "application/xml": string;
                };
            };
            /** @description The object does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>NoSuchKey</Code><Message>No render with this id was found.</Message></Error> */
                    "application/xml": string;
                };
            };
            /** @description The path does not support this method. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>MethodNotAllowed</Code><Message>Signed URLs support only GET, HEAD, and PUT.</Message></Error> */
                    "application/xml": string;
                };
            };
            /** @description A precondition of the request failed. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The range is outside the video. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example invalid range: failed to overlap */
                    "text/plain": string;
                };
            };
            /** @description Internal error. Find it in the server's log by the X-Request-Id header. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>InternalError</Code><Message>Something went wrong on our side.</Message></Error> */
                    "application/xml": string;
                };
            };
            /** @description The server is shutting down, or its storage does not respond. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>ServiceUnavailable</Code><Message>The server is shutting down.</Message></Error> */
                    "application/xml": string;
                };
            };
        };
    };
    putObject: {
        parameters: {
            query?: {
                /**
                 * @description Query of the signed URL, unchanged; here, the type of the content.
                 * @example video/mp4
                 */
                ct?: components["parameters"]["SignedType"];
                /**
                 * @description Query of the signed URL, unchanged; here, when it expires.
                 * @example 1777890600
                 */
                exp?: components["parameters"]["SignedExpiry"];
                /**
                 * @description Query of the signed URL, unchanged; here, the key that signed it.
                 * @example 1
                 */
                kid?: components["parameters"]["SignedKey"];
                /**
                 * @description Query of the signed URL, unchanged; here, the signature.
                 * @example 9mYxq0mB1vV0wq5oJcXyQe3D0G8H2m4ZrJtX7l6sT1c
                 */
                sig?: components["parameters"]["Signature"];
                /**
                 * @description Query of the signed URL, unchanged; here, its length in bytes.
                 * @example 2048000
                 */
                size?: components["parameters"]["SignedSize"];
            };
            header?: never;
            path: {
                /**
                 * @description Name of the object, from the path of the signed URL.
                 * @example obj_3f0c6f0e7b9e4a51a2a5f6b6b1a6a3c1
                 */
                object_id: components["parameters"]["ObjectID"];
            };
            cookie?: never;
        };
        /**
         * @description The raw bytes of the file, as many as declared. The header `Content-Type` must equal the declared `content_type`, whatever it is:
         *     send that instead of `application/octet-stream`, or declare `application/octet-stream`.
         */
        requestBody?: {
            content: {
                /** @example the bytes of the file */
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description All bytes are stored durably. */
            200: {
                headers: {
                    /** @description Changes with the bytes. */
                    Etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>InvalidArgument</Code><Message>The request is not valid.</Message></Error> */
                    "application/xml": string;
                };
            };
            /** @description The signature is invalid or expired, or the Content-Type differs from the declared one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>SignatureDoesNotMatch</Code><Message>The signature of this address is not valid.</Message></Error> */
                    "application/xml": string;
                };
            };
            /** @description The object does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>NoSuchKey</Code><Message>No upload with this id was found.</Message></Error> */
                    "application/xml": string;
                };
            };
            /** @description The path does not support this method. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>MethodNotAllowed</Code><Message>Signed URLs support only GET, HEAD, and PUT.</Message></Error> */
                    "application/xml": string;
                };
            };
            /** @description The bytes did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>RequestTimeout</Code><Message>The upload was too slow.</Message></Error> */
                    "application/xml": string;
                };
            };
            /** @description A recording was already created from the object. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>PreconditionFailed</Code><Message>A recording was already created from this upload.</Message></Error> */
                    "application/xml": string;
                };
            };
            /** @description The object is larger than declared. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>EntityTooLarge</Code><Message>The object is larger than declared.</Message></Error> */
                    "application/xml": string;
                };
            };
            /** @description Internal error. Find it in the server's log by the X-Request-Id header. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>InternalError</Code><Message>Something went wrong on our side.</Message></Error> */
                    "application/xml": string;
                };
            };
            /** @description The server is shutting down, or its storage does not respond. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>ServiceUnavailable</Code><Message>The server is shutting down.</Message></Error> */
                    "application/xml": string;
                };
            };
            /** @description The server's disk is full. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <?xml version='1.0' encoding='UTF-8'?><Error><Code>InsufficientStorage</Code><Message>The disk is full.</Message></Error> */
                    "application/xml": string;
                };
            };
        };
    };
    createChat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "What do they say about the harbour?",
                 *       "recording_ids": [
                 *         "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewChat"];
            };
        };
        responses: {
            /** @description The chat is queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chat_id": "a1b2c3d4-e5f6-4708-9192-a3b4c5d6e7f8",
                     *       "status": "queued"
                     *     }
                     */
                    "application/json": components["schemas"]["QueuedChat"];
                };
            };
            /**
             * @description The message or the recordings are missing, there are more than 10, or a transcript is not completed (the error names its
             *     status).
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "recording_ids is capped at 10 recordings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["Timeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    getChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the chat. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the chat. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chat_id": "a1b2c3d4-e5f6-4708-9192-a3b4c5d6e7f8",
                     *       "status": "completed",
                     *       "answer": "They say that it is older than the town [“A talk”, 0:12].",
                     *       "recording_ids": [
                     *         "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Chat"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://media.example/talk.mp4",
                 *       "title": "A talk"
                 *     }
                 */
                "application/json": components["schemas"]["NewImport"];
            };
        };
        responses: {
            /** @description The import is queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "import_id": "imp_0f5b6c1d2e3f4a5b8c7d9e0f1a2b3c4d",
                     *       "status": "queued",
                     *       "source": "url",
                     *       "url": "https://media.example/talk.mp4",
                     *       "title": "A talk",
                     *       "progress": 0,
                     *       "error": null,
                     *       "recording_id": null
                     *     }
                     */
                    "application/json": components["schemas"]["Import"];
                };
            };
            /** @description The URL is malformed or does not resolve to a public address, or a parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "url must resolve to a public address"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["StorageLimit"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["Timeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "import_id": "imp_0f5b6c1d2e3f4a5b8c7d9e0f1a2b3c4d",
                     *       "status": "completed",
                     *       "source": "url",
                     *       "url": "https://media.example/talk.mp4",
                     *       "title": "A talk",
                     *       "progress": 1,
                     *       "error": null,
                     *       "recording_id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10"
                     *     }
                     */
                    "application/json": components["schemas"]["Import"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOutput: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the output. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the output. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "output_id": "c5b4a392-8170-4f6e-9d5c-4b3a29180f7e",
                     *       "output_type": "dynamic",
                     *       "prompt_id": "64f7a8b9-c0d1-4e2f-8031-425364758697",
                     *       "recording_id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                     *       "name": "Newsletter",
                     *       "status": "completed",
                     *       "text": "## This week\n\nTwo people talk about the harbour.",
                     *       "error": null,
                     *       "created_at": "2026-05-04T10:20:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Output"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPrompts: {
        parameters: {
            query?: {
                /** @description Default: the key's default space. */
                space_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every prompt of the space. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "space": {
                     *         "id": "00000000-0000-4000-8000-000000000030",
                     *         "name": "Sandbox"
                     *       },
                     *       "prompts": [
                     *         {
                     *           "id": "3e2d1c0b-5f4a-4b6c-8d7e-9f0a1b2c3d4e",
                     *           "name": "Overview",
                     *           "type": "episode_overview",
                     *           "description": "What the recording is about.",
                     *           "prompt": "Write an overview of this recording.",
                     *           "disabled": false
                     *         },
                     *         {
                     *           "id": "64f7a8b9-c0d1-4e2f-8031-425364758697",
                     *           "name": "Newsletter",
                     *           "type": "dynamic",
                     *           "description": null,
                     *           "prompt": "Write a newsletter about this recording.",
                     *           "disabled": false
                     *         }
                     *       ],
                     *       "count": 2
                     *     }
                     */
                    "application/json": components["schemas"]["PromptList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Newsletter",
                 *       "prompt": "Write a newsletter about this recording."
                 *     }
                 */
                "application/json": components["schemas"]["NewPrompt"];
            };
        };
        responses: {
            /** @description The prompt was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "prompt": {
                     *         "id": "64f7a8b9-c0d1-4e2f-8031-425364758697",
                     *         "name": "Newsletter",
                     *         "type": "dynamic",
                     *         "description": null,
                     *         "prompt": "Write a newsletter about this recording.",
                     *         "disabled": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PromptBody"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["Timeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    listRecordings: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                /** @description Maximum number of items per page. Values above 100 are treated as 100. */
                limit?: number;
                /** @description Case-insensitive substring of the title. */
                query?: string;
                /** @description Return only recordings of this space. */
                space_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description A page. It may hold fewer items than `limit` and still have a `next_cursor`, because recordings in inactive spaces are
             *     filtered out.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recordings": [
                     *         {
                     *           "id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                     *           "title": "A talk",
                     *           "space": {
                     *             "id": "00000000-0000-4000-8000-000000000030",
                     *             "name": "Sandbox"
                     *           },
                     *           "created_at": "2026-05-04T10:00:00Z",
                     *           "published_at": "2026-05-01T06:00:00Z",
                     *           "language": "en",
                     *           "transcript_status": "completed",
                     *           "duration_minutes": 42,
                     *           "has_transcript": true,
                     *           "number": 7,
                     *           "episode_number": 12,
                     *           "season_number": 2,
                     *           "rss": {
                     *             "guid": "talk-12",
                     *             "published_at": "2026-05-01T06:00:00Z",
                     *             "episode_number": 12
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["RecordingList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRecording: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "object_id": "obj_3f0c6f0e7b9e4a51a2a5f6b6b1a6a3c1",
                 *       "title": "Interview, part one",
                 *       "speakers_expected": 2
                 *     }
                 */
                "application/json": components["schemas"]["NewRecording"];
            };
        };
        responses: {
            /** @description The recording exists and its transcription is queued. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recording": {
                     *         "id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                     *         "title": "Interview, part one",
                     *         "space": {
                     *           "id": "00000000-0000-4000-8000-000000000030",
                     *           "name": "Sandbox"
                     *         },
                     *         "created_at": "2026-05-04T10:00:00Z",
                     *         "published_at": "2026-05-04T10:00:00Z",
                     *         "language": "en",
                     *         "transcript_status": "queued",
                     *         "duration_minutes": 0,
                     *         "has_transcript": false,
                     *         "number": 7,
                     *         "episode_number": null,
                     *         "season_number": null,
                     *         "rss": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RecordingBody"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["Timeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            /** @description The uploaded bytes never arrived, or their number differs from the declared size. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The upload's bytes never arrived."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    getRecording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the recording. */
                id: components["parameters"]["RecordingID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recording. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recording": {
                     *         "id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                     *         "title": "A talk",
                     *         "space": {
                     *           "id": "00000000-0000-4000-8000-000000000030",
                     *           "name": "Sandbox"
                     *         },
                     *         "created_at": "2026-05-04T10:00:00Z",
                     *         "published_at": "2026-05-04T10:00:00Z",
                     *         "language": "en",
                     *         "transcript_status": "completed",
                     *         "duration_minutes": 42,
                     *         "has_transcript": true,
                     *         "number": 7,
                     *         "episode_number": null,
                     *         "season_number": null,
                     *         "rss": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RecordingBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listClipSuggestions: {
        parameters: {
            query?: {
                /** @description `true` starts generating suggestions if there are none yet. Poll for the result. */
                generate?: boolean;
            };
            header?: never;
            path: {
                /** @description ID of the recording. */
                id: components["parameters"]["RecordingID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The existing suggestions; may be empty. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recording_id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                     *       "suggestions": [
                     *         {
                     *           "id": "e7f8a9b0-c1d2-4e3f-8a5b-6c7d8e9f0a1b",
                     *           "title": "The harbour is older than the town",
                     *           "excerpt": "The harbour is older than the town, and nobody knows who dug it.",
                     *           "kind": "clip",
                     *           "score": 87,
                     *           "start_ms": 12400,
                     *           "end_ms": 41250
                     *         },
                     *         {
                     *           "id": "f8a9b0c1-d2e3-4f40-9b6c-7d8e9f0a1b2c",
                     *           "title": "Three rules of the quay",
                     *           "excerpt": "First, ask. Second, wait. Third, thank.",
                     *           "kind": "carousel",
                     *           "score": 61,
                     *           "start_ms": null,
                     *           "end_ms": null
                     *         }
                     *       ],
                     *       "count": 2
                     *     }
                     */
                    "application/json": components["schemas"]["SuggestionList"];
                };
            };
            /** @description The transcript is not completed (the error names its status), or a parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The transcript is not ready: its status is processing, and a completed transcript is required."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    generateOutput: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the recording. */
                id: components["parameters"]["RecordingID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOutput"];
            };
        };
        responses: {
            /** @description The output is queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "output_id": "c5b4a392-8170-4f6e-9d5c-4b3a29180f7e",
                     *       "output_type": "dynamic",
                     *       "prompt_id": "64f7a8b9-c0d1-4e2f-8031-425364758697",
                     *       "status": "queued"
                     *     }
                     */
                    "application/json": components["schemas"]["QueuedOutput"];
                };
            };
            /**
             * @description Not exactly one prompt is given, the prompt is built-in, or the transcript is not completed (the error names its
             *     status).
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The transcript is not ready: its status is processing, and generation requires a completed transcript."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["Timeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    listRecordingOutputs: {
        parameters: {
            query?: {
                /** @description Return only outputs of this type. A type without outputs gives an empty list. */
                type?: string;
            };
            header?: never;
            path: {
                /** @description ID of the recording. */
                id: components["parameters"]["RecordingID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The outputs, in any status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recording_id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                     *       "outputs": [
                     *         {
                     *           "output_id": "9d1f3b52-6a8e-4f0c-b7d4-2e5c8a1f6b90",
                     *           "output_type": "episode_overview",
                     *           "prompt_id": "3e2d1c0b-5f4a-4b6c-8d7e-9f0a1b2c3d4e",
                     *           "recording_id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                     *           "name": "Overview",
                     *           "status": "completed",
                     *           "text": "Two people talk about the harbour.",
                     *           "error": null,
                     *           "created_at": "2026-05-04T10:15:00Z"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["OutputList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRecordingSpeakers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the recording. */
                id: components["parameters"]["RecordingID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every label, ordered by number. Empty until the transcript is completed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recording_id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                     *       "speakers": [
                     *         {
                     *           "label": "Speaker 0",
                     *           "speaker": {
                     *             "id": "7c1d2a34-9b5e-4f60-8a71-c2d3e4f50617",
                     *             "name": "Ada Example",
                     *             "email": "ada@mail.example",
                     *             "bio": null,
                     *             "pronouns": "she/her",
                     *             "role": "Host",
                     *             "speaker_role_id": "1b2c3d4e-5f60-4718-92a3-b4c5d6e7f809",
                     *             "ai_summary": null,
                     *             "emoji": null
                     *           }
                     *         },
                     *         {
                     *           "label": "Speaker 1",
                     *           "speaker": null
                     *         }
                     *       ],
                     *       "count": 2
                     *     }
                     */
                    "application/json": components["schemas"]["LabelList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    assignSpeaker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the recording. */
                id: components["parameters"]["RecordingID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "Speaker 0",
                 *       "speaker_id": "7c1d2a34-9b5e-4f60-8a71-c2d3e4f50617"
                 *     }
                 */
                "application/json": components["schemas"]["NewAssignment"];
            };
        };
        responses: {
            /** @description The label is assigned. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recording_id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                     *       "label": "Speaker 0",
                     *       "speaker": {
                     *         "id": "7c1d2a34-9b5e-4f60-8a71-c2d3e4f50617",
                     *         "name": "Ada Example",
                     *         "email": "ada@mail.example",
                     *         "bio": null,
                     *         "pronouns": "she/her",
                     *         "role": "Host",
                     *         "speaker_role_id": "1b2c3d4e-5f60-4718-92a3-b4c5d6e7f809",
                     *         "ai_summary": null,
                     *         "emoji": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Assignment"];
                };
            };
            /** @description The transcript has no such label, or a parameter is missing or invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "label is not in the recording's transcript."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["Timeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    unassignSpeaker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the recording. */
                id: components["parameters"]["RecordingID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "Speaker 0",
                 *       "speaker_id": "7c1d2a34-9b5e-4f60-8a71-c2d3e4f50617"
                 *     }
                 */
                "application/json": components["schemas"]["NewAssignment"];
            };
        };
        responses: {
            /** @description The assignment is removed; `speaker` is null. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recording_id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                     *       "label": "Speaker 0",
                     *       "speaker": null
                     *     }
                     */
                    "application/json": components["schemas"]["Assignment"];
                };
            };
            /** @description The transcript has no such label, or a parameter is missing or invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "label is not in the recording's transcript."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The recording or speaker does not exist or belongs to another user, or the label is not assigned to this speaker. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The label is not assigned to this speaker."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["Timeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    getRecordingTranscript: {
        parameters: {
            query?: {
                /** @description Format of the response. */
                format?: "json" | "txt" | "vtt" | "srt" | "csv" | "pdf" | "docx";
                /** @description `false` omits timestamps from `txt` and changes no other format. */
                include_timestamp?: boolean;
                /**
                 * @description Translate to a supported language; requires the `automation` tier. The space's custom spellings and boosted words are
                 *     preserved.
                 */
                language?: components["schemas"]["LanguageCode"];
            };
            header?: never;
            path: {
                /** @description ID of the recording. */
                id: components["parameters"]["RecordingID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `json` returns speaker utterances. Other formats are returned as attachments named after the title. */
            200: {
                headers: {
                    /** @description The attachment's file name, from the title (RFC 6266). Not sent for `json`. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recording_id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                     *       "language": "en",
                     *       "audio_duration": 2,
                     *       "utterances": [
                     *         {
                     *           "speaker": "Speaker 0",
                     *           "speaker_name": "Ada Example",
                     *           "text": "Good morning.",
                     *           "start": 250,
                     *           "end": 1100,
                     *           "confidence": 0.93,
                     *           "words": [
                     *             {
                     *               "text": "Good",
                     *               "start": 250,
                     *               "end": 560,
                     *               "confidence": 0.95,
                     *               "speaker": "Speaker 0"
                     *             },
                     *             {
                     *               "text": "morning.",
                     *               "start": 600,
                     *               "end": 1100,
                     *               "confidence": 0.91,
                     *               "speaker": "Speaker 0"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecordingTranscript"];
                    /** @example the bytes of the document */
                    "application/pdf": string;
                    /** @example the bytes of the document */
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                    /**
                     * @example 1
                     *     00:00:00,250 --> 00:00:01,600
                     *     Ada Example: Good morning.
                     */
                    "application/x-subrip": string;
                    /**
                     * @example index,start,end,start_ms,end_ms,speaker,text
                     *     1,00:00:00.250,00:00:01.100,250,1100,"Ada Example","Good morning."
                     */
                    "text/csv": string;
                    /**
                     * @example [00:00:00] Ada Example:
                     *     Good morning.
                     */
                    "text/plain": string;
                    /**
                     * @example WEBVTT
                     *
                     *     1
                     *     00:00:00.250 --> 00:00:01.600
                     *     <v Ada Example>Good morning.
                     */
                    "text/vtt": string;
                };
            };
            /** @description The transcript is not completed (the error names its status), or a parameter is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The transcript is not ready: its status is processing, and a completed transcript is required."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            /** @description The translation backend does not respond, or no installed font has the transcript's script (`pdf`). The error says which. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "No font found for Devanagari text."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createRender: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRender"];
            };
        };
        responses: {
            /** @description Rendering has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "render": {
                     *         "id": "0c1d2e3f-4051-4627-8394-a5b6c7d8e9f0",
                     *         "status": "rendering",
                     *         "style": "captions",
                     *         "aspect_ratio": "9:16",
                     *         "start_ms": 12400,
                     *         "end_ms": 39800,
                     *         "progress": 0,
                     *         "message": "Waiting",
                     *         "asset_url": null,
                     *         "created_at": "2026-05-04T10:40:00Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RenderBody"];
                };
            };
            /**
             * @description A parameter is invalid, the window is longer than 3 minutes or outside the media, it has no spoken words, the suggestion
             *     is a carousel, or the recording's transcript is not completed.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no speech in this window: pick a range with spoken words."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["Timeout"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    getRender: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the render. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the render. Each response has a new `asset_url`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "render": {
                     *         "id": "0c1d2e3f-4051-4627-8394-a5b6c7d8e9f0",
                     *         "status": "completed",
                     *         "style": "captions",
                     *         "aspect_ratio": "9:16",
                     *         "start_ms": 12400,
                     *         "end_ms": 39800,
                     *         "progress": 1,
                     *         "message": "Done",
                     *         "asset_url": "http://127.0.0.1:8765/storage/0c1d2e3f-4051-4627-8394-a5b6c7d8e9f0?ct=video%2Fmp4&exp=1777895400&kid=1&sig=kP3u0cQmWz7bJf5hXnYt2RrVd8LsEaG4oTiB6yNxMwU&size=482130",
                     *         "created_at": "2026-05-04T10:40:00Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RenderBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    search: {
        parameters: {
            query: {
                /** @description What to search. */
                category?: "all" | "transcripts" | "recordings" | "content";
                /** @description Maximum number of hits of each kind. Values above 25 are treated as 25. */
                limit?: number;
                /** @description Words to search for, in any supported language. */
                query: string;
                /** @description Search only this space. Default: all spaces of the user. */
                space_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "query": "harbour",
                     *       "results": [
                     *         {
                     *           "kind": "transcript",
                     *           "recording_id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                     *           "recording_title": "A talk",
                     *           "snippet": "The harbour is older than the town, and nobody knows who dug it.",
                     *           "start_ms": 12700
                     *         },
                     *         {
                     *           "kind": "recording",
                     *           "recording_id": "5b8e6a0d-1b63-4d4a-9e3f-9d7f7a0d2021",
                     *           "recording_title": "At the harbour",
                     *           "snippet": "At the harbour"
                     *         },
                     *         {
                     *           "kind": "content",
                     *           "recording_id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                     *           "recording_title": "A talk",
                     *           "snippet": "Two people talk about the harbour.",
                     *           "output_id": "9d1f3b52-6a8e-4f0c-b7d4-2e5c8a1f6b90",
                     *           "output_type": "episode_overview"
                     *         }
                     *       ],
                     *       "count": 3
                     *     }
                     */
                    "application/json": components["schemas"]["SearchResults"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSpaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every space that the user belongs to. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "spaces": [
                     *         {
                     *           "id": "00000000-0000-4000-8000-000000000030",
                     *           "name": "Sandbox",
                     *           "language": "en"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["SpaceList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSpeakers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the space. */
                space_id: components["parameters"]["SpaceID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every speaker of the space, without `emoji`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "space": {
                     *         "id": "00000000-0000-4000-8000-000000000030",
                     *         "name": "Sandbox"
                     *       },
                     *       "speakers": [
                     *         {
                     *           "id": "7c1d2a34-9b5e-4f60-8a71-c2d3e4f50617",
                     *           "name": "Ada Example",
                     *           "email": "ada@mail.example",
                     *           "bio": null,
                     *           "pronouns": "she/her",
                     *           "role": "Host",
                     *           "speaker_role_id": "1b2c3d4e-5f60-4718-92a3-b4c5d6e7f809",
                     *           "ai_summary": null
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["SpeakerList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSpeaker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the space. */
                space_id: components["parameters"]["SpaceID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Example",
                 *       "email": "ada@mail.example",
                 *       "pronouns": "she/her",
                 *       "role": "Host"
                 *     }
                 */
                "application/json": components["schemas"]["NewSpeaker"];
            };
        };
        responses: {
            /** @description The speaker was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "speaker": {
                     *         "id": "7c1d2a34-9b5e-4f60-8a71-c2d3e4f50617",
                     *         "name": "Ada Example",
                     *         "email": "ada@mail.example",
                     *         "bio": null,
                     *         "pronouns": "she/her",
                     *         "role": "Host",
                     *         "speaker_role_id": "1b2c3d4e-5f60-4718-92a3-b4c5d6e7f809",
                     *         "ai_summary": null,
                     *         "emoji": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SpeakerBody"];
                };
            };
            /** @description A field is missing or invalid, or the space has no role with this name. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "role is not the name of a role of the space."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["Timeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    updateSpeaker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the speaker. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Example-Doe",
                 *       "bio": "Writes about harbours.",
                 *       "emoji": "🎙️"
                 *     }
                 */
                "application/json": components["schemas"]["SpeakerChange"];
            };
        };
        responses: {
            /** @description The updated speaker. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "speaker": {
                     *         "id": "7c1d2a34-9b5e-4f60-8a71-c2d3e4f50617",
                     *         "name": "Ada Example-Doe",
                     *         "email": "ada@mail.example",
                     *         "bio": "Writes about harbours.",
                     *         "pronouns": "she/her",
                     *         "role": "Host",
                     *         "speaker_role_id": "1b2c3d4e-5f60-4718-92a3-b4c5d6e7f809",
                     *         "ai_summary": null,
                     *         "emoji": "🎙️"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SpeakerBody"];
                };
            };
            /** @description A field is invalid, or `speaker_role_id` is a role of another space. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "speaker_role_id is not a role of the speaker's space."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["Timeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    createTranscript: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://media.example/talk.mp4",
                 *       "language_code": "en"
                 *     }
                 */
                "application/json": components["schemas"]["NewTranscript"];
            };
        };
        responses: {
            /** @description The transcription is queued. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11",
                     *       "status": "queued"
                     *     }
                     */
                    "application/json": components["schemas"]["QueuedTranscript"];
                };
            };
            /** @description A parameter is invalid (the errors list all of them), or the body is not a JSON object. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": {
                     *         "url": [
                     *           "can't be blank"
                     *         ]
                     *       },
                     *       "valid": false
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["Timeout"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    getTranscript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the transcript. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the transcription. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filename": "interview.mp4",
                 *       "content_type": "video/mp4",
                 *       "content_size": 2048000
                 *     }
                 */
                "application/json": components["schemas"]["NewUpload"];
            };
        };
        responses: {
            /** @description The object is reserved. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object_id": "obj_3f0c6f0e7b9e4a51a2a5f6b6b1a6a3c1",
                     *       "upload_url": "http://127.0.0.1:8765/storage/obj_3f0c6f0e7b9e4a51a2a5f6b6b1a6a3c1?ct=video%2Fmp4&exp=1777890600&kid=1&sig=9mYxq0mB1vV0wq5oJcXyQe3D0G8H2m4ZrJtX7l6sT1c&size=2048000",
                     *       "upload_url_expires_in_seconds": 1800,
                     *       "space_id": "00000000-0000-4000-8000-000000000030"
                     *     }
                     */
                    "application/json": components["schemas"]["Upload"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["StorageLimit"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["Timeout"];
            409: components["responses"]["Conflict"];
            /** @description The file is over 10 GB, or the request body over 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "content_size is over the limit of 10 GB."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Usage and limits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan_status": "active",
                     *       "api_tier": "platform",
                     *       "usage": {
                     *         "unit": "minute",
                     *         "used": 42,
                     *         "limit": 600,
                     *         "unlimited": false,
                     *         "cumulative": false,
                     *         "percentage": 7,
                     *         "period_start": "2026-05-01T00:00:00Z",
                     *         "period_end": "2026-06-01T00:00:00Z"
                     *       },
                     *       "storage": {
                     *         "used_bytes": 2048000,
                     *         "soft_limit_bytes": 10737418240,
                     *         "hard_limit_bytes": 21474836480,
                     *         "unlimited": false,
                     *         "percentage": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every webhook of the user, without secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": [
                     *         {
                     *           "id": "d4e5f607-1829-4a3b-8c4d-5e6f708192a3",
                     *           "url": "https://hooks.example/soundstage",
                     *           "events": [
                     *             "transcript.completed",
                     *             "output.completed"
                     *           ],
                     *           "space_id": null,
                     *           "description": null,
                     *           "disabled": false,
                     *           "created_at": "2026-05-04T10:00:00Z",
                     *           "updated_at": "2026-05-04T10:00:00Z"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example/soundstage",
                 *       "events": [
                 *         "transcript.completed",
                 *         "output.completed"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description The webhook was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": {
                     *         "id": "d4e5f607-1829-4a3b-8c4d-5e6f708192a3",
                     *         "url": "https://hooks.example/soundstage",
                     *         "events": [
                     *           "transcript.completed",
                     *           "output.completed"
                     *         ],
                     *         "space_id": null,
                     *         "description": null,
                     *         "disabled": false,
                     *         "created_at": "2026-05-04T10:00:00Z",
                     *         "updated_at": "2026-05-04T10:00:00Z",
                     *         "secret": "whsec_bm90IGEgc2VjcmV0LCBvbmx5IGFuIGV4YW1wbGUgISE="
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecretBody"];
                };
            };
            /** @description The URL is malformed or does not resolve to a public address, or the events are missing or unknown. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "url must resolve to a public address"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["Timeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, without its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": {
                     *         "id": "d4e5f607-1829-4a3b-8c4d-5e6f708192a3",
                     *         "url": "https://hooks.example/soundstage",
                     *         "events": [
                     *           "transcript.completed",
                     *           "output.completed"
                     *         ],
                     *         "space_id": null,
                     *         "description": null,
                     *         "disabled": false,
                     *         "created_at": "2026-05-04T10:00:00Z",
                     *         "updated_at": "2026-05-04T10:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "output.completed"
                 *       ],
                 *       "disabled": true
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description The updated webhook, without its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": {
                     *         "id": "d4e5f607-1829-4a3b-8c4d-5e6f708192a3",
                     *         "url": "https://hooks.example/soundstage",
                     *         "events": [
                     *           "output.completed"
                     *         ],
                     *         "space_id": null,
                     *         "description": null,
                     *         "disabled": true,
                     *         "created_at": "2026-05-04T10:00:00Z",
                     *         "updated_at": "2026-05-04T11:30:00Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookBody"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["Timeout"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of deliveries. Values above 100 are treated as 100. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "id": "b9c0d1e2-f304-4152-8637-48596a7b8c9d",
                     *           "event_id": "2f3e4d5c-6b7a-4890-a1b2-c3d4e5f60718",
                     *           "event": "transcript.completed",
                     *           "status": "retrying",
                     *           "created_at": "2026-05-04T10:30:00Z",
                     *           "attempts": [
                     *             {
                     *               "at": "2026-05-04T10:30:00Z",
                     *               "duration_ms": 41,
                     *               "status_code": 503,
                     *               "error": null,
                     *               "response_body": "Come back later.",
                     *               "request_headers": {
                     *                 "webhook-id": "2f3e4d5c-6b7a-4890-a1b2-c3d4e5f60718",
                     *                 "webhook-timestamp": "1777890600"
                     *               }
                     *             },
                     *             {
                     *               "at": "2026-05-04T10:30:05Z",
                     *               "duration_ms": 15000,
                     *               "status_code": null,
                     *               "error": "The receiver did not answer in time.",
                     *               "response_body": null,
                     *               "request_headers": {
                     *                 "webhook-id": "2f3e4d5c-6b7a-4890-a1b2-c3d4e5f60718",
                     *                 "webhook-timestamp": "1777890605"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the delivery. */
                delivery_id: string;
                /** @description ID of the webhook. */
                id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery is queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivery": {
                     *         "id": "b9c0d1e2-f304-4152-8637-48596a7b8c9d",
                     *         "event_id": "2f3e4d5c-6b7a-4890-a1b2-c3d4e5f60718",
                     *         "event": "transcript.completed",
                     *         "status": "pending",
                     *         "created_at": "2026-05-04T10:30:00Z",
                     *         "attempts": [
                     *           {
                     *             "at": "2026-05-04T10:30:00Z",
                     *             "duration_ms": 41,
                     *             "status_code": 503,
                     *             "error": null,
                     *             "response_body": "Come back later.",
                     *             "request_headers": {
                     *               "webhook-id": "2f3e4d5c-6b7a-4890-a1b2-c3d4e5f60718",
                     *               "webhook-timestamp": "1777890600"
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            /** @description The delivery is still pending. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The delivery is still pending."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook with its new secret, which is shown only once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": {
                     *         "id": "d4e5f607-1829-4a3b-8c4d-5e6f708192a3",
                     *         "url": "https://hooks.example/soundstage",
                     *         "events": [
                     *           "transcript.completed",
                     *           "output.completed"
                     *         ],
                     *         "space_id": null,
                     *         "description": null,
                     *         "disabled": false,
                     *         "created_at": "2026-05-04T10:00:00Z",
                     *         "updated_at": "2026-05-04T12:00:00Z",
                     *         "secret": "whsec_YW5vdGhlciBleGFtcGxlLCBhZ2FpbiBubyBzZWNyZXQhISE="
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecretBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            /** @description The secret was changed too often recently. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The secret was changed 10 times in a day."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: components["parameters"]["WebhookID"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event is queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivery": {
                     *         "id": "b9c0d1e2-f304-4152-8637-48596a7b8c9d",
                     *         "event_id": "2f3e4d5c-6b7a-4890-a1b2-c3d4e5f60718",
                     *         "event": "transcript.completed",
                     *         "status": "pending",
                     *         "created_at": "2026-05-04T10:30:00Z",
                     *         "attempts": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["NoSpace"];
        };
    };
    outputCompleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Event ID, the same for every attempt.
                 * @example 2f3e4d5c-6b7a-4890-a1b2-c3d4e5f60718
                 */
                "Webhook-Id": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `webhook-id.webhook-timestamp.body`. While a secret is being rotated, several
                 *     signatures separated by spaces.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "Webhook-Signature": string;
                /**
                 * @description Time of this attempt, in seconds since 1970.
                 * @example 1777890600
                 */
                "Webhook-Timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "output.completed",
                 *       "timestamp": "2026-05-04T10:20:00Z",
                 *       "data": {
                 *         "output_id": "c5b4a392-8170-4f6e-9d5c-4b3a29180f7e",
                 *         "output_type": "dynamic",
                 *         "prompt_id": "64f7a8b9-c0d1-4e2f-8031-425364758697",
                 *         "recording_id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                 *         "status": "completed"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        output_id: string;
                        output_type: components["schemas"]["OutputType"];
                        prompt_id: string | null;
                        recording_id: string;
                        /** @enum {string} */
                        status: "completed";
                    };
                    /**
                     * Format: date-time
                     * @description Time of the event.
                     */
                    timestamp: string;
                    /** @enum {string} */
                    type: "output.completed";
                };
            };
        };
        responses: {
            "2XX": components["responses"]["EventReceived"];
            410: components["responses"]["EventGone"];
            default: components["responses"]["EventRefused"];
        };
    };
    transcriptCompleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Event ID, the same for every attempt.
                 * @example 2f3e4d5c-6b7a-4890-a1b2-c3d4e5f60718
                 */
                "Webhook-Id": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `webhook-id.webhook-timestamp.body`. While a secret is being rotated, several
                 *     signatures separated by spaces.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "Webhook-Signature": string;
                /**
                 * @description Time of this attempt, in seconds since 1970.
                 * @example 1777890600
                 */
                "Webhook-Timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "transcript.completed",
                 *       "timestamp": "2026-05-04T10:15:00Z",
                 *       "data": {
                 *         "recording_id": "5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10",
                 *         "space_id": "00000000-0000-4000-8000-000000000030",
                 *         "transcript_status": "completed"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        recording_id: string;
                        space_id: string;
                        /** @enum {string} */
                        transcript_status: "completed";
                    };
                    /**
                     * Format: date-time
                     * @description Time of the event.
                     */
                    timestamp: string;
                    /** @enum {string} */
                    type: "transcript.completed";
                };
            };
        };
        responses: {
            "2XX": components["responses"]["EventReceived"];
            410: components["responses"]["EventGone"];
            default: components["responses"]["EventRefused"];
        };
    };
}
