// Generated from emulator/control/openapi.yaml by scripts/generate.mjs. Do not edit.

export interface paths {
    "/_soundstage/capsule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the requests recorded since `startCapsule`.
         * @description Save the response as a file, for example to send it with a bug report.
         */
        get: operations["getCapsule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/capsule/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start to record a world's requests.
         * @description Send the requests, then get the capsule.
         */
        post: operations["startCapsule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the time and the unfinished jobs.
         * @description An unfinished job is pending until the clock shows its time.
         */
        get: operations["getClock"];
        /**
         * Change the clock.
         * @description At least one field is required. Absent fields stay unchanged.
         */
        put: operations["setClock"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance a frozen clock.
         * @description Exactly one field says how far. The response comes when everything due until then has happened, including webhooks, and lists it
         *     in order. `settled` is false when a job took too long in wall-clock time: `running` lists the slow jobs, and the clock stops
         *     there. One call advances by at most 100 years, and never beyond the year 2200.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count a world's records by kind and status.
         * @description A finished job is counted as long as the world keeps it.
         */
        get: operations["getCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream everything that happens in a world.
         * @description Server-Sent Events. Each message has an `id`, which is a cursor; an `event`, which is the type; and one JSON object as `data`. The first message is
         *     `hello`. The stream stays open until the client disconnects, the world is deleted, or the server stops; it outlives a reset of the
         *     world. Every 15 s, a comment shows that it is alive.
         *
         *     A reconnecting client continues after the cursor in the header `Last-Event-ID`, else in `after`, if the server still has
         *     what followed. Otherwise, and if the client reads too slowly, it gets `lost` and continues with the oldest message that is left: it must reload its lists.
         *     The server keeps up to 4,096 messages and 4 MiB per world while a stream is open, and for 5 min after the last one. It records nothing
         *     before the first stream.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the faults.
         * @description `remaining` can still fire; `fired` have.
         */
        get: operations["listFaults"];
        put?: never;
        /**
         * Inject a fault.
         * @description Faults are tried in the order they were added. At most one hits a request.
         */
        post: operations["addFault"];
        /**
         * Remove all faults.
         * @description Also forgets those that have fired.
         */
        delete: operations["removeFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/faults/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a fault.
         * @description Requests that it already hit stay as they are.
         */
        delete: operations["removeFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/faults/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check that every fault has fired as often as it should.
         * @description For the end of a test: a fault that never fired may mean that the program never sent the request.
         */
        post: operations["verifyFaults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/fidelity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the fidelity report.
         * @description Lists every statement of the specification with how it is checked, and every part of /v1 that is assumed. Browsers get an HTML page.
         */
        get: operations["getFidelity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/fixtures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fixture bindings.
         * @description Spaces, speakers, prompts, and recordings of a fixture are resources in /v1 and not listed here.
         */
        get: operations["getFixtures"];
        put?: never;
        /**
         * Apply a fixture to a world.
         * @description Creates the fixture's spaces, speakers, prompts, and recordings, and binds its other entries to future requests, all or nothing.
         *     Errors give line and column. Without a `Content-Type`, the first character distinguishes JSON from YAML.
         */
        post: operations["applyFixture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the server's health.
         * @description Public. It responds in every state of the server. The problems of a degraded server are checked with each request.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/idle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Wait until the world is idle.
         * @description A frozen clock stays as it is, and what waits for it counts as idle. The clock `auto` jumps from job to job.
         */
        post: operations["waitIdle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the jobs.
         * @description Newest first. Finished jobs are listed as long as the world keeps them.
         */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a job.
         * @description Find the ID with `listJobs`, or in a `job` message of `streamEvents`.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job.
         * @description A waiting job ends at once. The attempt of a running one is stopped; the response does not wait for its end.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/jobs/{id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a job fail.
         * @description The current attempt is stopped and ends with this error; a waiting job's next attempt ends with it, without doing its work. The job
         *     and its resource then fail as after any permanent error. `fails_with` of the job shows an error that is still to come; it is lost
         *     with a reset of the world and with the end of the server.
         */
        post: operations["failJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/jobs/{id}/step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a job take its next step now.
         * @description A waiting job begins its next attempt; a running one that waits for the clock ends it. The clock and the other jobs stay as they
         *     are. The response comes when the job has taken the step, or after 5 s. 409 says why a job can't be stepped: it has ended, it is
         *     working, it is due already, or its message is held.
         */
        post: operations["stepJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/magic": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the magic inputs, one for each error and state of /v1.
         * @description Send the value, and the sandbox responds with the error or reaches the state.
         */
        get: operations["listMagicInputs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message of the Model Context Protocol.
         * @description The streamable HTTP transport of the [Model Context Protocol](https://modelcontextprotocol.io), without sessions: each message stands for
         *     itself. The tools use this API. They work on the world that their argument `world` names, else the header `X-Soundstage-World`.
         */
        post: operations["sendAssistantMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/openapi.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document.
         * @description Public, like the health check. `servers` is the address that was asked.
         */
        get: operations["getControlContract"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/recordings/{id}/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the media of a recording.
         * @description /v1 never gives media back. The console plays it from here.
         */
        get: operations["getMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/recordings/{id}/media/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the media of a recording.
         * @description As it was uploaded or imported, byte for byte. It supports range requests.
         */
        get: operations["getMediaContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/recordings/{id}/media/peaks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the waveform of a recording.
         * @description The largest amplitude of each part of the sound. The whole media is decoded, which takes seconds for hours of it.
         */
        get: operations["getMediaPeaks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/renders/defaults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the style and the target of renders.
         * @description What is not set is "" or null; renders are then as their requests say.
         */
        get: operations["getRenderDefaults"];
        /**
         * Change the style and the target of renders.
         * @description At least one field is required. Absent fields stay unchanged; `style` replaces `look`, and the other way round. Renders that have begun
         *     keep what they began with. Responses of /v1 don't change: `style` and `aspect_ratio` of a render are those of the request. A fork and
         *     a snapshot carry the settings, and a reset restores those that the world began with. With `--data`, they stay in the folder.
         */
        put: operations["setRenderDefaults"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests to /v1.
         * @description The log keeps the newest requests of a world. Parameters narrow the list.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        /**
         * Clear the request log.
         * @description Numbers go on, so that `since` stays valid.
         */
        delete: operations["clearRequests"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/requests.har": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the requests as an HTTP Archive, which browser developer tools can open.
         * @description The same requests as in `listRequests`, with the same parameters.
         */
        get: operations["exportRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/requests/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one request with its response.
         * @description Bodies are kept up to 4 KiB.
         */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/requests/{number}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a logged request again.
         * @description Sends the same method, path, query, headers, and body with the same secret, and returns the new entry of the log. Faults can hit it.
         *     409 if the log has only a part of the body: it is longer than 4 KiB, or the API didn't read all of it.
         */
        post: operations["resendRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/requests/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the matching requests.
         * @description Counts only requests that the log still has.
         */
        post: operations["countRequests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/requests/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find requests by more criteria than `listRequests`.
         * @description The newest matches are returned, oldest first.
         */
        post: operations["findRequests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/requests/wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Wait until `count` requests match.
         * @description Earlier requests count too; exclude them with `match.since`.
         */
        post: operations["waitForRequests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Empty a world.
         * @description Deletes the world's records, files, request log, faults, held webhooks, and fixture bindings. Generated IDs start over.
         */
        post: operations["resetWorld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a world's public sandbox secrets.
         * @description A server with `--secret-file` returns none, and says why. Its worlds have no public secrets.
         */
        get: operations["listSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a world's state as a file.
         * @description The file does not include the request log, the webhook outbox, faults, or fixture bindings.
         */
        get: operations["exportSnapshot"];
        /**
         * Replace a world's state by a snapshot file.
         * @description All or nothing. If the file is invalid, the world stays unchanged.
         */
        put: operations["importSnapshot"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the stored snapshots.
         * @description They are kept until they are deleted or the server ends.
         */
        get: operations["listSnapshots"];
        put?: never;
        /**
         * Store a world's state on the server.
         * @description Takes little time, regardless of the world's size. The server stores at most 100 snapshots.
         */
        post: operations["createSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/snapshots/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a stored snapshot.
         * @description Worlds that were started from it stay.
         */
        delete: operations["deleteSnapshot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/snapshots/{name}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a world's state by a stored snapshot.
         * @description The world keeps its name and its secrets.
         */
        post: operations["restoreSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the held messages.
         * @description It also says how many messages are being collected for a reorder.
         */
        get: operations["getHold"];
        put?: never;
        /**
         * Hold messages.
         * @description Holds every matching attempt that has not started, until `releaseMessages`. The log of /v1 shows them as pending.
         */
        post: operations["holdMessages"];
        /**
         * Same as `releaseMessages`.
         * @description For clients that hold with POST and end with DELETE.
         */
        delete: operations["endHold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/listen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive webhooks in the response.
         * @description Creates a webhook that exists while the client reads the response. Each request to it waits for `answerWebhook` and gets that
         *     response. `soundstage listen` uses this operation.
         */
        post: operations["listenToWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/listen/{id}/answers/{seen}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report the response to a request that was listened to.
         * @description The attempt in the outbox gets this response or error.
         */
        post: operations["answerWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/outbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages with every attempt, byte for byte.
         * @description Headers and bodies are exactly what was sent.
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/outbox/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message.
         * @description It has the newest 50 attempts, oldest first.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/outbox/{id}/corrupt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a corrupted copy of a message, which a receiver must reject.
         * @description `what` says what is wrong with the copy.
         */
        post: operations["corruptMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/outbox/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send two copies of a message concurrently.
         * @description Both have the same `webhook-id`. A receiver must process only one.
         */
        post: operations["duplicateMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/outbox/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message again.
         * @description The attempt does not appear in the delivery log of /v1. Use `replayWebhookDelivery` of /v1 if it should.
         */
        post: operations["resendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/outbox/wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Wait until `count` messages have been attempted.
         * @description Earlier messages count too. The attempt may have failed. The deliveries of `/v1` show it, too.
         */
        post: operations["waitForMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the attempt policy and what remains of it.
         * @description Numbers of attempts count down as attempts are made.
         */
        get: operations["getPolicy"];
        /**
         * Drop, delay, or respond to the next attempts.
         * @description Replaces the policy, including what is left of the previous one.
         */
        put: operations["setPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send all held messages and stop holding.
         * @description They are sent in order of arrival.
         */
        post: operations["releaseMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the next messages in reverse order, or held messages in a given order.
         * @description Exactly one of `count` and `ids` is set.
         */
        post: operations["reorderMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/sink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a webhook that the sandbox itself receives.
         * @description For tests without a receiver of their own: read what arrived with `listMessages`.
         */
        post: operations["createSink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/sink/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a sink.
         * @description Like any webhook, it receives nothing from then on.
         */
        delete: operations["deleteSink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the attempts.
         * @description The response stays open until the client disconnects or the world is closed.
         */
        get: operations["streamMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/webhooks/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event that did not happen.
         * @description The event goes to every subscribed webhook, with signature, retries, and log entry as usual. With `url`, it is sent once to that URL.
         */
        post: operations["triggerEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/worlds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the worlds.
         * @description A server always has the world `default`.
         */
        get: operations["listWorlds"];
        put?: never;
        /**
         * Create a world, empty or as a copy of another.
         * @description A copy takes as little time as an empty world, regardless of size. The new world's secrets end in its name.
         */
        post: operations["createWorld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_soundstage/worlds/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a world and everything in it.
         * @description Its secrets stop working. The response comes when the world's requests have ended.
         */
        delete: operations["deleteWorld"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description How far to advance a clock. */
        Advance: {
            /** @description A duration: `90s`, `1h30m`, `30d`. */
            by?: string;
            /**
             * @description Advances to the next event.
             * @constant
             */
            next_event?: true;
            /** Format: date-time */
            to?: string;
            /** @description Advances until a resource has a status. */
            until?: {
                /** @description Resource ID. */
                resource: string;
                status: string;
            };
        };
        /** @description What happened while a clock was advanced. */
        Advanced: {
            /** @description The events, in order. */
            fired: {
                /** Format: date-time */
                at: string;
                /** @description Job kind. */
                kind: string;
                /** @description Resource ID. */
                resource: string;
                /** @description The resource's new status, or its final one if it has it by then; `begun` or `done` if it has none. */
                status: string;
            }[];
            /** Format: date-time */
            now: string;
            running?: components["schemas"]["Pending"][];
            settled: boolean;
        };
        /** @description What a fixture created and bound. */
        Applied: {
            /** @description Name of the fixture in its errors. */
            fixture: string;
            /** @description Recording IDs. */
            recordings: string[];
            /** @description Space IDs. */
            spaces: string[];
            timelines: number;
            transcripts: number;
            /** @description Number of bound URLs. */
            urls: number;
        };
        /** @description A message of JSON-RPC 2.0. The Model Context Protocol says what its members are. */
        AssistantMessage: {
            /** @enum {string} */
            jsonrpc: "2.0";
            /** @description Of requests and notifications. */
            method?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description One try to send a message. */
        Attempt: {
            /**
             * Format: date-time
             * @description On the wall clock.
             */
            at: string;
            corrupted?: components["schemas"]["What"];
            /** Format: int64 */
            duration_ms: number;
            /** @description Why there was no response. */
            error?: string;
            /** @enum {string} */
            kind: "delivery" | "trigger" | "resend" | "duplicate" | "corrupt";
            /** Format: int64 */
            number: number;
            request: components["schemas"]["SentRequest"];
            /** @description Null when there was no response. */
            response: {
                /** @description The first 2 KiB. */
                body: string;
                body_base64?: string;
                headers: components["schemas"]["HeaderLine"][] | null;
                status: number;
            } | null;
        };
        /** @description Attempts. */
        AttemptList: {
            attempts: components["schemas"]["Attempt"][];
        };
        /** @description A transcription or text generation backend. */
        Backend: {
            /** @description Server URL or program. */
            address?: string;
            /**
             * @description `recorded` saves responses in a folder; `replayed` reads them from one.
             * @enum {string}
             */
            answers?: "recorded" | "replayed";
            /** @description `fake` is the built-in simulation. */
            kind: string;
            model?: string;
        };
        /** @description The body of a message. */
        Body: {
            /** @description Set when the bytes are not UTF-8. */
            base64?: string | null;
            /**
             * Format: int64
             * @description Total length.
             */
            bytes: number;
            text?: string;
            /** @description Only the first bytes are kept. */
            truncated: boolean;
        };
        /** @description Bindings of fixtures to future requests. */
        Bound: {
            timelines: {
                match: components["schemas"]["FixtureMatch"];
                of: string;
                steps: string;
            }[];
            transcripts: {
                /** Format: int64 */
                duration_ms: number;
                language?: string;
                match: components["schemas"]["FixtureMatch"];
                utterances: number;
            }[];
            urls: {
                media: string;
                title?: string;
                url: string;
            }[];
        };
        /** @description The state of a clock, with the unfinished jobs. */
        Clock: {
            mode: components["schemas"]["ClockMode"];
            /** Format: date-time */
            now: string;
            pending: components["schemas"]["Pending"][];
            /** @description Seconds per second of the wall clock; 0 when frozen. */
            rate: number;
        };
        /** @description The clock changed. */
        ClockMessage: {
            data: components["schemas"]["ClockTime"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "clock";
            id: components["schemas"]["Cursor"];
        };
        /**
         * @description How a clock runs.
         * @enum {string}
         */
        ClockMode: "real" | "scaled" | "manual" | "auto" | "steps";
        /** @description The fields of a clock to change. */
        ClockSetting: {
            mode?: components["schemas"]["ClockMode"];
            /** Format: date-time */
            now?: string | null;
            /** @description Mode scaled only. */
            rate?: number | null;
        };
        /** @description What the world's clock shows now. */
        ClockTime: {
            mode: components["schemas"]["ClockMode"];
            /** Format: date-time */
            now: string;
            /** @description Seconds per second of the wall clock; 0 when frozen. */
            rate: number;
        };
        /** @description Records of one kind. */
        Count: {
            /** @description Number of records by status, without statuses that no record has. Requests have classes such as `4xx`. */
            statuses: {
                [key: string]: number;
            };
            total: number;
        };
        /** @description A world's records. */
        Counts: {
            /** @description By kind: recordings, transcripts, uploads, imports, outputs, renders, chats, webhooks, deliveries, jobs, requests, messages, and faults. */
            counts: {
                [key: string]: components["schemas"]["Count"];
            };
            world: string;
        };
        /** @description A place in a world's stream. Treat it as opaque. */
        Cursor: string;
        /** @description A webhook message changed. */
        DeliveryMessage: {
            data: components["schemas"]["MessageSummary"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "delivery";
            id: components["schemas"]["Cursor"];
        };
        /** @description The action. Only `latency_ms` can be combined with another one; `headers` and `body` belong to `status`. */
        Do: {
            /** @description JSON; a JSON string stands for its text. The default is an error body as in the specification. */
            body?: unknown;
            /** @description Executes the request and closes the connection without a response. */
            commit_then_drop?: boolean;
            /** @description Delivers an event twice. */
            duplicate_webhook?: boolean;
            headers?: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description Delays the request, on the wall clock.
             */
            latency_ms?: number;
            /**
             * Format: int64
             * @description Resets the connection after this many bytes of the request's body. The request has no effect.
             */
            reset_after_bytes?: number | null;
            /** @description Responds instead of the API. A status from 100 to 199 except 101 is sent before the API's response. */
            status?: number;
            /**
             * Format: int64
             * @description Closes the connection after this many bytes of the response's body.
             */
            truncate?: number | null;
        };
        /** @description A success. */
        Done: {
            /** @constant */
            status: "ok";
        };
        /** @description What happened to a recording, or to something made from one. */
        EngineEvent: {
            /**
             * Format: date-time
             * @description On the world's clock.
             */
            at: string;
            error?: string;
            /** @description What to do about the error. */
            hint?: string;
            /** @description Of a translation. */
            language?: string;
            /** @description Current step of a render. */
            message?: string;
            /** @description Of progress events. */
            progress?: number;
            recording?: string;
            /** @description ID of the row that changed: of the recording, transcript, import, render, output, or chat. */
            resource: string;
            space?: string;
            /** @description The new status. */
            status?: string;
            /** @description `recording.created`, `transcript.changed`, `transcript.progress`, `output.changed`, …. */
            type: string;
        };
        /** @description What every rejected request gets. */
        Error: {
            /** @description What is wrong. */
            error: string;
            /** @description What to do next. */
            hint?: string;
        };
        /** @description An attempt with its message. */
        Event: {
            attempt: components["schemas"]["Attempt"];
            message: components["schemas"]["Message"];
            /** @description Number of earlier attempts that were skipped because the reader was too slow. */
            missed?: number;
        };
        /** @description A resource changed. */
        EventMessage: {
            data: components["schemas"]["EngineEvent"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "event";
            id: components["schemas"]["Cursor"];
        };
        /** @description One of the event types in the contract of `/v1`. */
        EventType: string;
        /** @description A failure to inject. */
        Fault: {
            do: components["schemas"]["Do"];
            match: components["schemas"]["FaultMatch"];
            /** @description Hits only some of the requests. The same seed hits the same requests. */
            probability?: number;
            /**
             * Format: uint64
             * @description Seed for `probability`.
             */
            seed?: number | null;
            /** @description Number of consecutive matching requests to hit; default 1, or unlimited with a probability. */
            times?: number;
        };
        /** @description A fault and what happened to it. It is spent when it can't fire again. */
        FaultChange: {
            /** @enum {string} */
            change: "added" | "fired" | "spent" | "removed";
            do: components["schemas"]["Do"];
            fired: number;
            id: string;
            match: components["schemas"]["FaultMatch"];
            probability?: number;
            /** Format: uint64 */
            seed?: number | null;
            seen: number;
            times?: number;
        };
        /** @description Which requests or events a fault hits. */
        FaultMatch: {
            /** @description Webhook event type. */
            event?: string;
            method?: string;
            /** @description First matching request to hit; default 1. */
            nth?: number;
            /** @description ID of an operation of /v1; `*` for all. */
            op?: string;
            /** @description `/v1/recordings/{id}` for all recordings, or the path of one. */
            path?: string;
            /** @description An ID in the path. */
            resource?: string;
        };
        /** @description A fault changed. */
        FaultMessage: {
            data: components["schemas"]["FaultChange"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "fault";
            id: components["schemas"]["Cursor"];
        };
        /** @description The faults of a world. */
        Faults: {
            /** @description Faults that have fired at least once. */
            fired: components["schemas"]["FaultState"][];
            /** @description Faults that can still fire. */
            remaining: components["schemas"]["FaultState"][];
        };
        /** @description A fault and how often it fired. */
        FaultState: {
            do: components["schemas"]["Do"];
            /** @description Requests that it hit. */
            fired: number;
            /** @description `fault-1`, numbered per world. */
            id: string;
            match: components["schemas"]["FaultMatch"];
            /** @description Hits only some of the requests. The same seed hits the same requests. */
            probability?: number;
            /**
             * Format: uint64
             * @description Seed for `probability`.
             */
            seed?: number | null;
            /** @description Matching requests since the fault was added. */
            seen: number;
            /** @description Number of consecutive matching requests to hit; default 1, or unlimited with a probability. */
            times?: number;
        };
        /** @description How faithful the sandbox is, statement by statement. */
        Fidelity: {
            assumed: {
                description?: string;
                /** @description Path in the contract of /v1. */
                where: string;
            }[];
            statements: {
                /**
                 * @description `check` means `soundstage conformance`.
                 * @enum {string}
                 */
                checked: "check" | "test" | "none";
                id: string;
                provenance: components["schemas"]["Provenance"];
                /** @description Why the statement can't be checked. */
                reason?: string;
                section: string;
                /** @description Go test that checks it. */
                test?: string;
                text: string;
            }[];
        };
        /** @description Matches messages that match every given field. Without fields, it matches every message. */
        Filter: {
            event?: components["schemas"]["EventType"];
            /** @description The header webhook-id. */
            event_id?: string;
            /** @description Any ID in the event's data. */
            resource?: string;
            /** @description Webhook ID. */
            webhook?: string;
        };
        /** @description Which requests a binding applies to. */
        FixtureMatch: {
            filename?: string;
            message?: string;
            prompt?: string;
            recording?: string;
            sha256?: string;
            title?: string;
            url?: string;
        };
        /** @description An HTTP Archive 1.2. */
        HAR: {
            log: {
                /** @description The program that wrote the archive. */
                creator: {
                    name: string;
                    version: string;
                };
                entries: components["schemas"]["HAREntry"][];
                /** @constant */
                version: "1.2";
            };
        };
        /** @description A request with its response, as in HTTP Archive 1.2. */
        HAREntry: {
            /** @description Always empty. */
            cache: {
                [key: string]: unknown;
            };
            /** @description Method, URL, headers, and body. */
            request: {
                [key: string]: unknown;
            };
            /** @description Status, headers, and body. */
            response: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            startedDateTime: string;
            /** @description Milliseconds. */
            time: number;
            /** @description Milliseconds to send, to wait, and to receive. */
            timings: {
                [key: string]: unknown;
            };
        };
        /** @description A line of a header. */
        HeaderLine: {
            name: string;
            value: string;
        };
        /** @description HTTP headers, each with its values. */
        HeaderValues: {
            [key: string]: string[];
        } | null;
        /** @description The state of the server. */
        Health: {
            backends: {
                llm: components["schemas"]["Backend"];
                transcriber: components["schemas"]["Backend"];
            };
            /** @description A check of a large database for damage runs in the background. */
            checking: boolean;
            /** @description Clock mode of the default world. */
            clock: string;
            /** @description Number of records by resource type. */
            counts: {
                [key: string]: number;
            };
            /** @description All data is deleted at exit. */
            ephemeral: boolean;
            /** @description What is wrong, and what to do about it. Only if the status is `degraded`. */
            problems?: string[];
            /** @enum {string} */
            status: "ok" | "degraded";
            version: string;
            worlds: number;
        };
        /** @description The world at the begin of a stream. */
        Hello: {
            clock: components["schemas"]["ClockTime"];
            counts: components["schemas"]["Totals"];
            cursor: components["schemas"]["Cursor"];
            world: string;
        };
        /** @description The first message of a stream. */
        HelloMessage: {
            data: components["schemas"]["Hello"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "hello";
            id: components["schemas"]["Cursor"];
        };
        /** @description Which messages are held. */
        HoldState: {
            collected: components["schemas"]["Message"][];
            filter?: components["schemas"]["Filter"];
            /** @description In order of arrival. */
            held: components["schemas"]["Message"][];
            holding: boolean;
            /** @description Number of messages to collect and send in reverse order; 0 for none. */
            reorder: number;
        };
        /** @description An idle world. */
        Idle: {
            /** Format: date-time */
            now: string;
            pending: components["schemas"]["Pending"][];
            /** @constant */
            status: "idle";
        };
        /** @description A step of a world's work. */
        Job: {
            /** @description Attempts begun. */
            attempt: number;
            cancel_requested: boolean;
            class: components["schemas"]["JobClass"];
            /** Format: date-time */
            created_at: string;
            /** @description Error with which the next attempt will end; see `failJob`. */
            fails_with?: string;
            /** @description Number of claims and of lost leases. */
            generation: number;
            /** @description Whether it does nothing until the world's clock shows `next_at`. */
            held: boolean;
            id: string;
            /** @description What it does: `transcript.transcribe`, `webhook.deliver`, …. */
            kind: string;
            last_error?: string;
            /** @description Process that runs it; empty when none does. */
            lease_owner: string;
            /**
             * Format: date-time
             * @description When another process may take it; null when none may.
             */
            lease_until: string | null;
            /**
             * Format: date-time
             * @description When it continues; null while it works and when it has ended.
             */
            next_at: string | null;
            /** @description Attempts of these that ended because a service was away; they don't count as the job's own. */
            outages: number;
            /** @description ID of the recording that it is about, if there is one. */
            recording?: string;
            /** @description ID of the row that it works on; for a transcription, the transcript's. */
            ref: string;
            /** @description ID of its resource in /v1. */
            resource: string;
            /**
             * Format: date-time
             * @description Earliest begin of the next attempt.
             */
            run_at: string;
            status: components["schemas"]["JobStatus"];
            /** @description Jobs of the tenants of a class take turns. */
            tenant: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description One job. */
        JobBody: {
            job: components["schemas"]["Job"];
        };
        /**
         * @description The kind of work. Each class has its own workers.
         * @enum {string}
         */
        JobClass: "transcribe" | "import" | "generate" | "render" | "deliver" | "maintain";
        /** @description A job with its changes of status. */
        JobHistory: {
            job: components["schemas"]["Job"];
            transitions: components["schemas"]["Transition"][];
        };
        /** @description A job changed. */
        JobMessage: {
            data: components["schemas"]["Job"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "job";
            id: components["schemas"]["Cursor"];
        };
        /** @description A page of jobs. */
        Jobs: {
            /** @description Number of jobs in this response. */
            count: number;
            jobs: components["schemas"]["Job"][];
            /** @description Value of `after` for the jobs that follow; absent at the end. */
            next?: string;
        };
        /**
         * @description The state of a job.
         * @enum {string}
         */
        JobStatus: "queued" | "running" | "retrying" | "completed" | "failed" | "canceled";
        /** @description A line of the stream: first the webhook, then requests. */
        ListenLine: {
            listening?: components["schemas"]["Subscription"];
            request?: {
                event: components["schemas"]["EventType"];
                event_id: string;
                id: string;
                message_id: string;
                request: components["schemas"]["SentRequest"];
                resource: string;
            };
        };
        /** @description The messages after `from` up to `to` were not sent. Reload what they may have changed. */
        Lost: {
            from: components["schemas"]["Cursor"];
            to: components["schemas"]["Cursor"];
        };
        /** @description Messages were lost. */
        LostMessage: {
            data: components["schemas"]["Lost"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "lost";
            id: components["schemas"]["Cursor"];
        };
        /** @description An input that causes an error or a state. */
        Magic: {
            /** @description Request body. */
            body?: string;
            /** @description The part of the request that triggers it. */
            input: string;
            /** @description The error message. */
            message: string;
            /** @description ID of an operation of /v1. */
            operation: string;
            /** @description Path with query parameters, if the operation has any. */
            path?: string;
            provenance: components["schemas"]["Provenance"];
            /** @description Default: a secret of the platform tier. */
            secret?: string;
            /** @description Final state of the resource. */
            state?: string;
            /** @description Response status. */
            status: number;
            /** @description The value that triggers it. */
            value: string;
        };
        /** @description Matches requests that match every given field. Without fields, it matches every request. */
        Match: {
            /** @description Substring of the logged request body. */
            body_contains?: string;
            /** @description ID of the fault that hit it. */
            fault?: string;
            /** @description Request headers, each with one of its values. */
            headers?: {
                [key: string]: string;
            };
            /** @description ID of the caller's API key. */
            key?: string;
            method?: string;
            /** @description ID of an operation of /v1. */
            op?: string;
            /** @description A segment in braces, as in `/v1/recordings/{id}`, matches any value. */
            path?: string;
            /** @description An ID in the path. */
            resource?: string;
            /**
             * Format: int64
             * @description Only requests with a higher number.
             */
            since?: number;
            /** @description A status or a class, `4xx`. */
            status?: string | number;
            /** @description The caller's tier. */
            tier?: string;
        };
        /** @description What is known of a recording's media. */
        Media: {
            content_type: string;
            /**
             * Format: int64
             * @description 0 until the media was probed.
             */
            duration_ms: number;
            /** @description False until the media was probed. */
            has_video: boolean;
            /**
             * Format: int64
             * @description Bytes.
             */
            size: number;
            /** @description Path of `getMediaContent`. */
            url: string;
        };
        /** @description A webhook message with its attempts. */
        Message: {
            /** @description The newest 50, oldest first. */
            attempts: components["schemas"]["Attempt"][] | null;
            /** @description The JSON, byte for byte. */
            body: string;
            /** Format: date-time */
            created_at: string;
            event: components["schemas"]["EventType"];
            /** @description The header webhook-id. */
            event_id: string;
            /** @description Delivery ID in /v1; `direct-1` when triggered with a URL. */
            id: string;
            /** @description ID of the output, else of the recording. */
            resource: string;
            /** @enum {string} */
            status: "waiting" | "held" | "sending" | "delivered" | "failed";
            /** @description URL of the newest attempt. */
            url: string;
            webhook_id?: string;
        };
        /** @description One message. */
        MessageBody: {
            message: components["schemas"]["Message"];
        };
        /** @description Messages. */
        MessageList: {
            count: number;
            messages: components["schemas"]["Message"][];
        };
        /** @description A webhook message after a change, without its body. */
        MessageSummary: {
            /** @description Finished attempts. */
            attempts: number;
            /** Format: date-time */
            created_at: string;
            /** @description Why the newest attempt got no response. */
            error?: string;
            event: components["schemas"]["EventType"];
            /** @description The header webhook-id. */
            event_id: string;
            /** @description Delivery ID in /v1; `direct-1` when triggered with a URL. */
            id: string;
            /**
             * Format: date-time
             * @description When the next attempt is due; null when none is.
             */
            next_at: string | null;
            resource: string;
            /** @description Of the newest attempt; null without a response. */
            response_status: number | null;
            /** @enum {string} */
            status: "waiting" | "held" | "sending" | "delivered" | "failed";
            url: string;
            webhook_id?: string;
        };
        /** @description A world to create. */
        NewWorld: {
            /** @description Clock mode, a value of `--clock`. Default: the copied world's mode, else the server's. */
            clock?: string;
            /** @description Name of the world to copy. Default: none. */
            fork_of?: string;
            /** @description Name of the stored snapshot to start from. Default: none. */
            from_snapshot?: string;
            /** @description Default `world-1`, `world-2`, …. */
            name?: string;
            /**
             * Format: uint64
             * @description Default: the copied world's seed, else the server's.
             */
            seed?: number | null;
        };
        /** @description A world that is still busy. */
        NotIdle: {
            error: string;
            /** Format: date-time */
            now: string;
            pending: components["schemas"]["Pending"][];
        };
        /** @description An unfinished job. */
        Pending: {
            /**
             * Format: date-time
             * @description When it resumes; null while it is running.
             */
            at: string | null;
            /** @description Job kind: `transcript.transcribe`, `webhook.deliver`, …. */
            kind: string;
            /** @description Resource ID. */
            resource: string;
            /** @description The resource's status, or the job's if the resource has none. */
            status: string;
        };
        /** @description What happens to the next attempts. */
        Policy: {
            /**
             * Format: int64
             * @description Delay before each attempt, on the wall clock.
             */
            delay_ms?: number;
            /** @description Number of next attempts to drop. */
            drop?: number;
            /** @description Response that replaces the receiver's. */
            fail?: {
                /** @description Number of next attempts; default 1. */
                count?: number;
                status: number;
            } | null;
            /**
             * @description Clock for signatures. Default: the value of `--webhook-time`.
             * @enum {string}
             */
            timestamp?: "wall" | "virtual";
        };
        /**
         * @description Where a statement comes from.
         * @enum {string}
         */
        Provenance: "specified" | "documented" | "assumed";
        /** @description How many messages were released. */
        Released: {
            released: number;
        };
        /** @description The style and the target of a world's renders. A style is a name or data. */
        RenderDefaults: {
            /** @description A style as data, as in a style file, instead of a name. Files that it names are not read: their contents are in base64. */
            look?: Record<string, never> | null;
            /** @description Name of a style or a preset; empty for the style of each render. */
            style?: string | null;
            /** @description Where videos are posted: tiktok, reels, shorts, youtube, linkedin, or web; empty for nowhere in particular. It decides the loudness, and which parts of the frame text avoids. */
            target?: string | null;
        };
        /** @description A request with its response. */
        Request: {
            aborted?: boolean;
            duration_ms: number;
            /** @description ID of the fault that hit it. */
            fault?: string;
            host: string;
            /** @description ID of the caller's API key. */
            key?: string;
            method: string;
            /**
             * Format: int64
             * @description 1 for the first request that ended.
             */
            number: number;
            op?: string;
            path: string;
            proto: string;
            /** @description Without signatures. */
            query?: string;
            /** @description Rule that rejected it. */
            reason?: string;
            request_body: components["schemas"]["Body"];
            request_headers: components["schemas"]["HeaderValues"];
            /**
             * Format: int64
             * @description Number of the request that it repeats.
             */
            resend_of?: number;
            /** @description First resource ID in the path. */
            resource?: string;
            response_body: components["schemas"]["Body"];
            response_headers: components["schemas"]["HeaderValues"];
            /** @description Prefix of the secret that was sent, and its last 4 characters if it is valid: `sk_sandbox_***form`. */
            secret?: string;
            /** @description The API's status; 0 when it sent no response. */
            status: number;
            /** @description The caller's tier. */
            tier?: string;
            /**
             * Format: date-time
             * @description Start of the request, on the world's clock.
             */
            time: string;
            tls?: boolean;
        };
        /** @description One request. */
        RequestBody: {
            request: components["schemas"]["Request"];
        };
        /** @description A request to /v1 ended. */
        RequestMessage: {
            data: components["schemas"]["RequestSummary"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "request";
            id: components["schemas"]["Cursor"];
        };
        /** @description Requests from the log. */
        Requests: {
            count: number;
            /**
             * Format: int64
             * @description Number of the request that ended last; pass it as `since` next time.
             */
            last: number;
            requests: components["schemas"]["Request"][];
        };
        /** @description A request to /v1 that ended, without headers and bodies. */
        RequestSummary: {
            aborted?: boolean;
            duration_ms: number;
            /** @description ID of the fault that hit it. */
            fault?: string;
            /** @description ID of the caller's API key. */
            key?: string;
            method: string;
            /** Format: int64 */
            number: number;
            op?: string;
            path: string;
            /** @description Without signatures. */
            query?: string;
            /** @description Rule that rejected it. */
            reason?: string;
            /**
             * Format: int64
             * @description Length of the request's body, as far as it was read.
             */
            request_bytes?: number;
            /**
             * Format: int64
             * @description Number of the request that it repeats.
             */
            resend_of?: number;
            /** @description First resource ID in the path. */
            resource?: string;
            /** Format: int64 */
            response_bytes?: number;
            /** @description Prefix of the secret that was sent, and its last 4 characters if it is valid: `sk_sandbox_***form`. */
            secret?: string;
            /** @description 0 when there was no response. */
            status: number;
            /** @description The caller's tier. */
            tier?: string;
            /**
             * Format: date-time
             * @description Start of the request, on the world's clock.
             */
            time: string;
            world: string;
        };
        /** @description A world's public secrets. */
        Secrets: {
            /** @description Why there are none. */
            reason?: string;
            secrets: {
                /** @description ID of the API key, as requests have it. */
                key?: string;
                /** @description Whether it belongs to the sandbox's second user. */
                other: boolean;
                secret: string;
                /** @enum {string} */
                tier: "none" | "core" | "automation" | "platform";
            }[];
            world: string;
        };
        /** @description A request, byte for byte. */
        SentRequest: {
            body: string;
            headers: components["schemas"]["HeaderLine"][];
            line: string;
            /** @description The text that a valid signature signs, `id.timestamp.body`. */
            signed: string;
        };
        /** @description A stored state of a world. */
        Snapshot: {
            clock: components["schemas"]["ClockMode"];
            name: string;
            /**
             * Format: date-time
             * @description Time on the clock when it was taken.
             */
            now: string;
            /** Format: uint64 */
            seed: number;
            /** @description World that it was taken from. */
            world: string;
        };
        /** @description One message of the stream. `event` is its type. */
        StreamMessage: components["schemas"]["HelloMessage"] | components["schemas"]["LostMessage"] | components["schemas"]["RequestMessage"] | components["schemas"]["JobMessage"] | components["schemas"]["EventMessage"] | components["schemas"]["DeliveryMessage"] | components["schemas"]["ClockMessage"] | components["schemas"]["FaultMessage"] | components["schemas"]["WorldMessage"];
        /**
         * @description The type of a message of the stream.
         * @enum {string}
         */
        StreamType: "request" | "job" | "event" | "delivery" | "clock" | "fault" | "world";
        /** @description A webhook that the sandbox itself receives. */
        Subscription: {
            events: components["schemas"]["EventType"][];
            /** @description Signing secret. */
            secret: string;
            url: string;
            webhook_id: string;
        };
        /** @description Numbers of records. */
        Totals: {
            /** @description Unfinished ones. */
            jobs: number;
            /** @description Webhook messages in the outbox. */
            messages: number;
            recordings: number;
            /** @description Requests in the log. */
            requests: number;
            transcripts: number;
            uploads: number;
        };
        /** @description A change of a job's status. */
        Transition: {
            /**
             * Format: date-time
             * @description On the world's clock.
             */
            at: string;
            attempt: number;
            /** @description Error of the attempt before. */
            error?: string;
            /** @description Whether it began to wait for the clock. */
            held: boolean;
            /** Format: date-time */
            next_at?: string | null;
            status: components["schemas"]["JobStatus"];
        };
        /** @description An event that was sent on demand. */
        Triggered: {
            attempt?: components["schemas"]["Attempt"];
            body: string;
            event: components["schemas"]["EventType"];
            /** @description The header webhook-id; empty when no webhook is subscribed to the event. */
            event_id: string;
            /** @description Message IDs, one for each webhook. */
            messages: string[];
            /** @description Secret that signed the request to the URL. */
            secret?: string;
        };
        /** @description Faults that have not fired as often as they should. */
        Unfired: {
            error: string;
            unfired: components["schemas"]["FaultState"][];
        };
        /**
         * @description What is wrong with the message; for `timestamp`, it is too old.
         * @enum {string}
         */
        What: "signature" | "body" | "timestamp" | "id";
        /** @description An isolated engine with its own data. */
        World: {
            /** @description Clock mode that it began with. */
            clock: string;
            counts: components["schemas"]["Totals"];
            /** @description Name of the world that it was copied from. */
            fork_of?: string;
            /** @description API secrets by tier: none, core, automation, platform; other belongs to the second user. */
            secrets: {
                [key: string]: string;
            };
            /** Format: uint64 */
            seed: number;
            time: components["schemas"]["ClockTime"];
            /** @description Name of the world. */
            world: string;
        };
        /** @description A world was created, reset, deleted, or restored. Every stream of the server gets it. */
        WorldChange: {
            /** @enum {string} */
            change: "created" | "reset" | "deleted" | "restored";
            /** @description Name of the world. */
            world: string;
        };
        /** @description A world changed. */
        WorldMessage: {
            data: components["schemas"]["WorldChange"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "world";
            id: components["schemas"]["Cursor"];
        };
    };
    responses: {
        /** @description The finished attempts, successful or not. */
        Attempts: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "attempts": [
                 *         {
                 *           "number": 1,
                 *           "kind": "delivery",
                 *           "at": "2026-01-01T00:00:01Z",
                 *           "duration_ms": 0,
                 *           "request": {
                 *             "line": "POST / HTTP/1.1",
                 *             "headers": [
                 *               {
                 *                 "name": "Webhook-Timestamp",
                 *                 "value": "1795295171"
                 *               }
                 *             ],
                 *             "body": "{\"type\":\"transcript.completed\"}",
                 *             "signed": "1812c269-0ae1-444c-b1ce-bdad3b90f08c.1795295171.{\"type\":\"transcript.completed\"}"
                 *           },
                 *           "response": {
                 *             "status": 200,
                 *             "headers": [],
                 *             "body": ""
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AttemptList"];
            };
        };
        /** @description The state of the clock, and the unfinished jobs. */
        ClockState: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "mode": "manual",
                 *       "now": "2026-01-01T00:00:00Z",
                 *       "rate": 0,
                 *       "pending": [
                 *         {
                 *           "at": "2026-01-01T00:00:05Z",
                 *           "kind": "transcript.transcribe",
                 *           "resource": "0b5d1f0e-7c59-4f0f-9c8e-2f1f1a7d1c11",
                 *           "status": "queued"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Clock"];
            };
        };
        /** @description The world's state does not allow it. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "A sandbox with a data folder supports neither snapshots nor forks.",
                 *       "hint": "Start it without --data, or copy the folder while the sandbox is stopped."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The attempt policy. */
        CurrentPolicy: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "timestamp": "wall",
                 *       "drop": 1,
                 *       "delay_ms": 0,
                 *       "fail": {
                 *         "status": 500,
                 *         "count": 2
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Policy"];
            };
        };
        /** @description Without a token, the API accepts requests from this machine only, and none from pages of other sites. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The control API accepts requests from this machine only.",
                 *       "hint": "Start the server with --control-token, and send it in the header X-Soundstage-Token."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The matching requests, oldest first. Secrets are cut to their prefix. */
        FoundRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "requests": [
                 *         {
                 *           "number": 1,
                 *           "time": "2026-01-01T00:00:00Z",
                 *           "method": "GET",
                 *           "path": "/v1/spaces",
                 *           "op": "listSpaces",
                 *           "proto": "HTTP/1.1",
                 *           "host": "127.0.0.1:8765",
                 *           "request_headers": {
                 *             "Accept": [
                 *               "*\/*"
                 *             ],
                 *             "Authorization": [
                 *               "Bearer sk_sandbox_***"
                 *             ]
                 *           },
                 *           "request_body": {
                 *             "text": "",
                 *             "bytes": 0,
                 *             "truncated": false
                 *           },
                 *           "status": 200,
                 *           "response_headers": {
                 *             "Content-Type": [
                 *               "application/json"
                 *             ]
                 *           },
                 *           "response_body": {
                 *             "text": "{\"spaces\":[],\"count\":0}",
                 *             "bytes": 23,
                 *             "truncated": false
                 *           },
                 *           "tier": "platform",
                 *           "duration_ms": 0.544
                 *         }
                 *       ],
                 *       "count": 1,
                 *       "last": 1
                 *     }
                 */
                "application/json": components["schemas"]["Requests"];
            };
        };
        /** @description A limit is reached. */
        Full: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The server already keeps 100 snapshots, the maximum.",
                 *       "hint": "Delete one with DELETE /_soundstage/snapshots/NAME, or save the world to a file with GET /_soundstage/snapshot."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The hold state. */
        Hold: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "holding": true,
                 *       "filter": {
                 *         "event": "transcript.completed"
                 *       },
                 *       "held": [],
                 *       "reorder": 0,
                 *       "collected": []
                 *     }
                 */
                "application/json": components["schemas"]["HoldState"];
            };
        };
        /** @description Internal error; see the sandbox's log. */
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
        /** @description The request is invalid. */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unknown field \"nam\".",
                 *       "hint": "GET /_soundstage/openapi.yaml describes every field."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The job's state does not allow it. */
        JobConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The job is already canceled."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The matching messages. A list has the newest first, and a wait the oldest. */
        Messages: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "messages": [
                 *         {
                 *           "id": "a3b22d19-17ca-4acb-ab8b-3439d0a567d2",
                 *           "webhook_id": "c11f215e-45b8-4f02-b4a0-660702203cb9",
                 *           "event": "transcript.completed",
                 *           "event_id": "1812c269-0ae1-444c-b1ce-bdad3b90f08c",
                 *           "resource": "00000000-0000-0000-0000-000000000000",
                 *           "url": "https://sink.soundstage.invalid/",
                 *           "body": "{\"type\":\"transcript.completed\"}",
                 *           "status": "delivered",
                 *           "created_at": "2026-01-01T00:00:00Z",
                 *           "attempts": [
                 *             {
                 *               "number": 1,
                 *               "kind": "delivery",
                 *               "at": "2026-01-01T00:00:01Z",
                 *               "duration_ms": 0,
                 *               "request": {
                 *                 "line": "POST / HTTP/1.1",
                 *                 "headers": [
                 *                   {
                 *                     "name": "Webhook-Timestamp",
                 *                     "value": "1795295171"
                 *                   }
                 *                 ],
                 *                 "body": "{\"type\":\"transcript.completed\"}",
                 *                 "signed": "1812c269-0ae1-444c-b1ce-bdad3b90f08c.1795295171.{\"type\":\"transcript.completed\"}"
                 *               },
                 *               "response": {
                 *                 "status": 200,
                 *                 "headers": [],
                 *                 "body": ""
                 *               }
                 *             }
                 *           ]
                 *         }
                 *       ],
                 *       "count": 1
                 *     }
                 */
                "application/json": components["schemas"]["MessageList"];
            };
        };
        /** @description The world does not exist, or its log does not have the request any more. */
        NoRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The log has no request 12.",
                 *       "hint": "List the newest requests with GET /_soundstage/requests."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The world or the resource does not exist. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "No message with this id is in the outbox.",
                 *       "hint": "List the newest messages with GET /_soundstage/webhooks/outbox."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The world does not exist. */
        NoWorld: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "There is no world \"ci-8\".",
                 *       "hint": "List worlds with GET /_soundstage/worlds."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Success. */
        OK: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "ok"
                 *     }
                 */
                "application/json": components["schemas"]["Done"];
            };
        };
        /** @description The job after the change. */
        OneJob: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "job": {
                 *         "id": "6f0e1e5c-6f0b-4f8e-9d3a-2a4c4f6b8e11",
                 *         "kind": "transcript.transcribe",
                 *         "class": "transcribe",
                 *         "resource": "0b5d1f0e-7c59-4f0f-9c8e-2f1f1a7d1c11",
                 *         "recording": "0b5d1f0e-7c59-4f0f-9c8e-2f1f1a7d1c11",
                 *         "ref": "1f1a7d1c-7c59-4f0f-9c8e-0b5d1f0e2f11",
                 *         "tenant": "00000000-0000-4000-8000-000000000010",
                 *         "status": "running",
                 *         "attempt": 1,
                 *         "outages": 0,
                 *         "generation": 1,
                 *         "run_at": "2026-01-01T00:00:05Z",
                 *         "lease_owner": "5JX3ZC2Q",
                 *         "lease_until": null,
                 *         "cancel_requested": false,
                 *         "held": true,
                 *         "next_at": "2026-01-01T00:00:20Z",
                 *         "created_at": "2026-01-01T00:00:00Z",
                 *         "updated_at": "2026-01-01T00:00:05Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["JobBody"];
            };
        };
        /** @description The request with its response. Secrets are cut to their prefix. */
        OneRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "request": {
                 *         "number": 2,
                 *         "time": "2026-01-01T00:00:00Z",
                 *         "method": "GET",
                 *         "path": "/v1/spaces",
                 *         "op": "listSpaces",
                 *         "proto": "HTTP/1.1",
                 *         "host": "127.0.0.1:8765",
                 *         "request_headers": {
                 *           "Authorization": [
                 *             "Bearer sk_sandbox_***"
                 *           ]
                 *         },
                 *         "request_body": {
                 *           "text": "",
                 *           "bytes": 0,
                 *           "truncated": false
                 *         },
                 *         "status": 200,
                 *         "response_headers": {
                 *           "Content-Type": [
                 *             "application/json"
                 *           ]
                 *         },
                 *         "response_body": {
                 *           "text": "{\"spaces\":[],\"count\":0}",
                 *           "bytes": 23,
                 *           "truncated": false
                 *         },
                 *         "tier": "platform",
                 *         "key": "9f2c1b7a-5d1e-4c55-8a0f-2b6d3e4f5a60",
                 *         "secret": "sk_sandbox_***form",
                 *         "duration_ms": 0.5
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RequestBody"];
            };
        };
        /** @description The number of released messages. They are sent sequentially; the response does not wait for them. */
        ReleasedMessages: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "released": 2
                 *     }
                 */
                "application/json": components["schemas"]["Released"];
            };
        };
        /** @description The style and the target of renders. */
        RenderDefaults: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "style": "bold-pop",
                 *       "look": null,
                 *       "target": "tiktok"
                 *     }
                 */
                "application/json": components["schemas"]["RenderDefaults"];
            };
        };
        /** @description The timeout has passed. */
        Timeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Received 1 of 5 requests within 50 ms."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request body is too long. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The request body is longer than 1048576 bytes."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server was started with `--control-token`, and the token is missing or wrong. */
        Unauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The control API of this server requires its token.",
                 *       "hint": "Send the value of --control-token in the header X-Soundstage-Token."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server is shutting down, or could not finish in time. */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The server is shutting down."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Event type. */
        EventFilter: components["schemas"]["EventType"];
        /** @description Event ID, the header `webhook-id`. */
        EventIDFilter: string;
        /** @description ID of the caller's API key. */
        KeyFilter: string;
        /** @description HTTP method, such as `POST`. */
        MethodFilter: string;
        /** @description ID of an operation of /v1, such as `createUpload`. */
        OperationID: string;
        /** @description Path; a segment in braces, as in `/v1/recordings/{id}`, matches any value. */
        PathFilter: string;
        /** @description Any ID in the event's data: recording, output, space, or prompt. */
        ResourceFilter: string;
        /** @description Only requests with a higher number; use `last` of an earlier response. */
        Since: number;
        /** @description Name of the snapshot. */
        SnapshotName: string;
        /** @description A status, `404`, or a class, `4xx`; `0` is no response. */
        StatusFilter: string;
        /** @description Webhook ID. */
        WebhookFilter: string;
        /** @description Name of the world, when the parameter is not sent. */
        WorldHeader: string;
        /** @description Name of the world. */
        WorldName: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getCapsule: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A capsule, which `soundstage replay` sends again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "format": "soundstage-capsule",
                     *       "version": 1
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
        };
    };
    startCapsule: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OK"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
        };
    };
    getClock: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ClockState"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            500: components["responses"]["Internal"];
        };
    };
    setClock: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mode": "manual",
                 *       "now": "2026-01-01T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["ClockSetting"];
            };
        };
        responses: {
            200: components["responses"]["ClockState"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
        };
    };
    advanceClock: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Advance"];
            };
        };
        responses: {
            /** @description The clock was advanced. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "now": "2026-01-01T00:15:00Z",
                     *       "fired": [
                     *         {
                     *           "at": "2026-01-01T00:00:05Z",
                     *           "kind": "transcript.transcribe",
                     *           "resource": "0b5d1f0e-7c59-4f0f-9c8e-2f1f1a7d1c11",
                     *           "status": "processing"
                     *         }
                     *       ],
                     *       "settled": true
                     *     }
                     */
                    "application/json": components["schemas"]["Advanced"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The clock runs by itself, or the resource can't reach the status. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "A real clock can't be advanced: it runs by itself.",
                     *       "hint": "Set it to manual, steps, or auto first, with PUT /_soundstage/clock."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCounts: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. A kind without records has the total 0. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "world": "default",
                     *       "counts": {
                     *         "recordings": {
                     *           "total": 2,
                     *           "statuses": {}
                     *         },
                     *         "transcripts": {
                     *           "total": 2,
                     *           "statuses": {
                     *             "completed": 1,
                     *             "processing": 1
                     *           }
                     *         },
                     *         "jobs": {
                     *           "total": 5,
                     *           "statuses": {
                     *             "completed": 4,
                     *             "running": 1
                     *           }
                     *         },
                     *         "requests": {
                     *           "total": 7,
                     *           "statuses": {
                     *             "2xx": 6,
                     *             "4xx": 1
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Counts"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            500: components["responses"]["Internal"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description The cursor of the last message that was handled. */
                after?: components["schemas"]["Cursor"];
                /** @description The types to send, separated by commas. `hello` and `lost` are always sent. The default is all. */
                types?: components["schemas"]["StreamType"][];
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description The same, as browsers send it. It comes before `after`. */
                "Last-Event-Id"?: components["schemas"]["Cursor"];
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages, in the order in which things happened. The schema describes one message, with `data` decoded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "q7xk2m4a-12",
                     *       "event": "clock",
                     *       "data": {
                     *         "mode": "manual",
                     *         "now": "2026-01-01T00:00:00Z",
                     *         "rate": 0
                     *       }
                     *     }
                     */
                    "text/event-stream": components["schemas"]["StreamMessage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFaults: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the order they were added. A fault that has fired and can fire again is in both lists. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "remaining": [
                     *         {
                     *           "id": "fault-1",
                     *           "match": {
                     *             "op": "listSpaces",
                     *             "nth": 2
                     *           },
                     *           "do": {
                     *             "status": 503
                     *           },
                     *           "times": 2,
                     *           "seen": 0,
                     *           "fired": 0
                     *         }
                     *       ],
                     *       "fired": []
                     *     }
                     */
                    "application/json": components["schemas"]["Faults"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
        };
    };
    addFault: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Fault"];
            };
        };
        responses: {
            /** @description The fault was added. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "fault-1",
                     *       "match": {
                     *         "op": "listSpaces",
                     *         "nth": 2
                     *       },
                     *       "do": {
                     *         "status": 503
                     *       },
                     *       "times": 2,
                     *       "seen": 0,
                     *       "fired": 0
                     *     }
                     */
                    "application/json": components["schemas"]["FaultState"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            507: components["responses"]["Full"];
        };
    };
    removeFaults: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All faults were removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
        };
    };
    removeFault: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Fault ID, such as `fault-1`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fault was removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    verifyFaults: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OK"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            /** @description Some faults have not. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unfired faults: fault-1 (listSpaces: status 503, 0 matching requests, 0 of 2 times).",
                     *       "unfired": [
                     *         {
                     *           "id": "fault-1",
                     *           "match": {
                     *             "op": "listSpaces",
                     *             "nth": 2
                     *           },
                     *           "do": {
                     *             "status": 503
                     *           },
                     *           "times": 2,
                     *           "seen": 0,
                     *           "fired": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Unfired"];
                };
            };
        };
    };
    getFidelity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "statements": [
                     *         {
                     *           "id": "service.asynchronous",
                     *           "section": "What the service does",
                     *           "text": "Transcription, generation, imports, chat and renders are asynchronous.",
                     *           "provenance": "specified",
                     *           "checked": "check"
                     *         }
                     *       ],
                     *       "assumed": [
                     *         {
                     *           "where": "/v1/recordings › post › responses › 201",
                     *           "description": "The recording exists and its transcription is queued."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Fidelity"];
                    /** @example <!doctype html> */
                    "text/html": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["Internal"];
        };
    };
    getFixtures: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description URLs, transcripts, and timelines, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "urls": [],
                     *       "transcripts": [],
                     *       "timelines": [
                     *         {
                     *           "of": "transcript",
                     *           "match": {
                     *             "filename": "a.wav"
                     *           },
                     *           "steps": "queued 2s → error no_speech"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Bound"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
        };
    };
    applyFixture: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timelines": [
                 *         {
                 *           "of": "transcript",
                 *           "match": {
                 *             "filename": "a.wav"
                 *           },
                 *           "steps": "queued 2s → error no_speech"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
                /**
                 * @example timelines:
                 *       - of: transcript
                 *         match: { filename: a.wav }
                 *         steps: queued 2s → error no_speech
                 */
                "application/yaml": string;
            };
        };
        responses: {
            /** @description The fixture was applied. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "fixture": "fixture.yaml",
                     *       "spaces": [],
                     *       "recordings": [],
                     *       "urls": 0,
                     *       "transcripts": 0,
                     *       "timelines": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Applied"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
            507: components["responses"]["Full"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server is running. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "0.1.0",
                     *       "clock": "auto",
                     *       "ephemeral": true,
                     *       "worlds": 1,
                     *       "checking": false,
                     *       "counts": {
                     *         "jobs": 0,
                     *         "recordings": 0,
                     *         "transcripts": 0,
                     *         "uploads": 0
                     *       },
                     *       "backends": {
                     *         "transcriber": {
                     *           "kind": "whispercpp",
                     *           "address": "http://127.0.0.1:8080"
                     *         },
                     *         "llm": {
                     *           "kind": "fake"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The headers of the request are too large. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 431 Request Header Fields Too Large */
                    "text/plain": string;
                };
            };
            500: components["responses"]["Internal"];
            /** @description The storage has a problem: damaged data, a full disk, or files that were deleted or replaced while the server runs. Requests that don't need them still work. The server can also be shutting down; the body then has only `error`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "degraded",
                     *       "problems": [
                     *         "The disk of the data folder is full. Free some space; no restart is needed."
                     *       ],
                     *       "version": "0.1.0",
                     *       "clock": "auto",
                     *       "ephemeral": false,
                     *       "worlds": 1,
                     *       "checking": false,
                     *       "counts": {
                     *         "jobs": 0,
                     *         "recordings": 0,
                     *         "transcripts": 0,
                     *         "uploads": 0
                     *       },
                     *       "backends": {
                     *         "transcriber": {
                     *           "kind": "fake"
                     *         },
                     *         "llm": {
                     *           "kind": "fake"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Health"] | components["schemas"]["Error"];
                };
            };
        };
    };
    waitIdle: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "timeout_ms": 5000
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: int64
                     * @description On the wall clock.
                     * @default 10000
                     */
                    timeout_ms?: number;
                };
            };
        };
        responses: {
            /** @description No job is running. Jobs that wait for the clock are listed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "idle",
                     *       "now": "2026-01-01T00:15:00Z",
                     *       "pending": []
                     *     }
                     */
                    "application/json": components["schemas"]["Idle"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            /** @description The world is still busy. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The world is still busy after 50ms.",
                     *       "now": "2026-01-01T00:15:00Z",
                     *       "pending": [
                     *         {
                     *           "at": null,
                     *           "kind": "transcript.transcribe",
                     *           "resource": "0b5d1f0e-7c59-4f0f-9c8e-2f1f1a7d1c11",
                     *           "status": "processing"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["NotIdle"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description Value of `next` in the response before. */
                after?: string;
                /** @description Only jobs of these classes, separated by commas. */
                class?: components["schemas"]["JobClass"][];
                /** @description Only jobs of these kinds, separated by commas, such as `transcript.transcribe`. */
                kind?: string[];
                /** @description Maximum number of jobs. */
                limit?: number;
                /** @description Only jobs about a resource. A recording has the jobs of its transcripts, outputs, renders, chats, and suggestions, too. */
                resource?: string;
                /** @description Only jobs with one of these statuses, separated by commas. */
                status?: components["schemas"]["JobStatus"][];
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobs": [
                     *         {
                     *           "id": "6f0e1e5c-6f0b-4f8e-9d3a-2a4c4f6b8e11",
                     *           "kind": "transcript.transcribe",
                     *           "class": "transcribe",
                     *           "resource": "0b5d1f0e-7c59-4f0f-9c8e-2f1f1a7d1c11",
                     *           "recording": "0b5d1f0e-7c59-4f0f-9c8e-2f1f1a7d1c11",
                     *           "ref": "1f1a7d1c-7c59-4f0f-9c8e-0b5d1f0e2f11",
                     *           "tenant": "00000000-0000-4000-8000-000000000010",
                     *           "status": "running",
                     *           "attempt": 1,
                     *           "outages": 0,
                     *           "generation": 1,
                     *           "run_at": "2026-01-01T00:00:05Z",
                     *           "lease_owner": "5JX3ZC2Q",
                     *           "lease_until": null,
                     *           "cancel_requested": false,
                     *           "held": true,
                     *           "next_at": "2026-01-01T00:00:20Z",
                     *           "created_at": "2026-01-01T00:00:00Z",
                     *           "updated_at": "2026-01-01T00:00:05Z"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Jobs"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            500: components["responses"]["Internal"];
        };
    };
    getJob: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Job ID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description The job and its changes of status on the world's clock, oldest first. The first and the last are always known; the server has seen those
             *     between if a stream of `streamEvents` was open.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job": {
                     *         "id": "6f0e1e5c-6f0b-4f8e-9d3a-2a4c4f6b8e11",
                     *         "kind": "transcript.transcribe",
                     *         "class": "transcribe",
                     *         "resource": "0b5d1f0e-7c59-4f0f-9c8e-2f1f1a7d1c11",
                     *         "recording": "0b5d1f0e-7c59-4f0f-9c8e-2f1f1a7d1c11",
                     *         "ref": "1f1a7d1c-7c59-4f0f-9c8e-0b5d1f0e2f11",
                     *         "tenant": "00000000-0000-4000-8000-000000000010",
                     *         "status": "running",
                     *         "attempt": 1,
                     *         "outages": 0,
                     *         "generation": 1,
                     *         "run_at": "2026-01-01T00:00:05Z",
                     *         "lease_owner": "5JX3ZC2Q",
                     *         "lease_until": null,
                     *         "cancel_requested": false,
                     *         "held": true,
                     *         "next_at": "2026-01-01T00:00:20Z",
                     *         "created_at": "2026-01-01T00:00:00Z",
                     *         "updated_at": "2026-01-01T00:00:05Z"
                     *       },
                     *       "transitions": [
                     *         {
                     *           "at": "2026-01-01T00:00:00Z",
                     *           "status": "queued",
                     *           "attempt": 0,
                     *           "held": false
                     *         },
                     *         {
                     *           "at": "2026-01-01T00:00:05Z",
                     *           "status": "running",
                     *           "attempt": 1,
                     *           "held": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["JobHistory"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
        };
    };
    cancelJob: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Job ID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: components["responses"]["OneJob"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["JobConflict"];
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
        };
    };
    failJob: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Job ID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "error": "The audio contains no speech."
                 *     }
                 */
                "application/json": {
                    /** @description What the resource shows as its error. Default: a sentence that says who let it fail. */
                    error?: string;
                };
            };
        };
        responses: {
            200: components["responses"]["OneJob"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["JobConflict"];
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
        };
    };
    stepJob: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Job ID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: components["responses"]["OneJob"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["JobConflict"];
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
        };
    };
    listMagicInputs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The magic inputs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "inputs": [
                     *         {
                     *           "operation": "GET /v1/spaces",
                     *           "input": "secret",
                     *           "value": "sk_sandbox_none",
                     *           "secret": "sk_sandbox_none",
                     *           "status": 403,
                     *           "message": "Your plan does not include API access.",
                     *           "provenance": "documented"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        inputs: components["schemas"]["Magic"][];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
        };
    };
    sendAssistantMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Must have both `application/json` and `text/event-stream`, as the transport wants it. */
                Accept?: string;
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "tools/call",
                 *       "params": {
                 *         "name": "get_clock",
                 *         "arguments": {
                 *           "world": "default"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AssistantMessage"];
            };
        };
        responses: {
            /** @description The response to a request. Errors of tools are results with `isError`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": 1,
                     *       "result": {
                     *         "content": [
                     *           {
                     *             "type": "text",
                     *             "text": "{\"mode\":\"auto\",\"now\":\"2026-01-01T00:00:00Z\",\"rate\":0,\"pending\":[]}"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AssistantMessage"];
                };
            };
            /** @description The notification was received. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The message or a header is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example Accept must contain both 'application/json' and 'text/event-stream' */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The message is longer than 4 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example request body exceeds 4194304 bytes */
                    "text/plain": string;
                };
            };
            /** @description The message is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example Content-Type must be 'application/json' */
                    "text/plain": string;
                };
            };
        };
    };
    getControlContract: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example openapi: 3.1.0 */
                    "application/yaml": string;
                };
            };
            /** @description The headers of the request are too large. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 431 Request Header Fields Too Large */
                    "text/plain": string;
                };
            };
        };
    };
    getMedia: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Recording ID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The media. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "/_soundstage/recordings/5a9f7b1c-0a52-4c39-8d2e-8c6f6f9c1f10/media/content?world=default",
                     *       "content_type": "video/mp4",
                     *       "size": 48213,
                     *       "has_video": true,
                     *       "duration_ms": 12040
                     *     }
                     */
                    "application/json": components["schemas"]["Media"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
        };
    };
    getMediaContent: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description The bytes to send. */
                Range?: string;
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Recording ID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The media. Its type is the uploaded one if that is audio or video. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example the bytes of the media */
                    "*/*": string;
                };
            };
            /** @description The requested ranges. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example the bytes of the media */
                    "*/*": string;
                };
            };
            /** @description The client's copy is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description A precondition of the request failed. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The range is outside the media. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Internal"];
        };
    };
    getMediaPeaks: {
        parameters: {
            query?: {
                /** @description Maximum number of peaks. Short sounds have fewer, one for each 20 ms. */
                count?: number;
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Recording ID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The peaks, in order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "peaks": [
                     *         0.004,
                     *         0.31,
                     *         0.72
                     *       ]
                     *     }
                     */
                    "application/json": {
                        peaks: number[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRenderDefaults: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RenderDefaults"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            500: components["responses"]["Internal"];
        };
    };
    setRenderDefaults: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenderDefaults"];
            };
        };
        responses: {
            200: components["responses"]["RenderDefaults"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description ID of the caller's API key. */
                key?: components["parameters"]["KeyFilter"];
                /** @description Maximum number of requests; the newest matches are returned. */
                limit?: number;
                /** @description HTTP method, such as `POST`. */
                method?: components["parameters"]["MethodFilter"];
                /** @description ID of an operation of /v1, such as `createUpload`. */
                op?: components["parameters"]["OperationID"];
                /** @description Path; a segment in braces, as in `/v1/recordings/{id}`, matches any value. */
                path?: components["parameters"]["PathFilter"];
                /** @description Only requests with a higher number; use `last` of an earlier response. */
                since?: components["parameters"]["Since"];
                /** @description A status, `404`, or a class, `4xx`; `0` is no response. */
                status?: components["parameters"]["StatusFilter"];
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FoundRequests"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            500: components["responses"]["Internal"];
        };
    };
    clearRequests: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The log is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
        };
    };
    exportRequests: {
        parameters: {
            query?: {
                /** @description ID of the caller's API key. */
                key?: components["parameters"]["KeyFilter"];
                /** @description HTTP method, such as `POST`. */
                method?: components["parameters"]["MethodFilter"];
                /** @description ID of an operation of /v1, such as `createUpload`. */
                op?: components["parameters"]["OperationID"];
                /** @description Path; a segment in braces, as in `/v1/recordings/{id}`, matches any value. */
                path?: components["parameters"]["PathFilter"];
                /** @description Only requests with a higher number; use `last` of an earlier response. */
                since?: components["parameters"]["Since"];
                /** @description A status, `404`, or a class, `4xx`; `0` is no response. */
                status?: components["parameters"]["StatusFilter"];
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An HTTP Archive 1.2. */
            200: {
                headers: {
                    /** @description Suggests a file name. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "log": {
                     *         "version": "1.2",
                     *         "creator": {
                     *           "name": "soundstage",
                     *           "version": "0.1.0"
                     *         },
                     *         "entries": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["HAR"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            500: components["responses"]["Internal"];
        };
    };
    getRequest: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Number of the request. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OneRequest"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRequest"];
        };
    };
    resendRequest: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Number of the request. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: components["responses"]["OneRequest"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRequest"];
            /** @description The request can't be repeated byte for byte. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The log has only the first 4096 of 70000 bytes of the body of request 2.",
                     *       "hint": "Send the request again from your program."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    countRequests: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "match": {
                 *         "op": "listSpaces"
                 *       }
                 *     }
                 */
                "application/json": {
                    match?: components["schemas"]["Match"];
                };
            };
        };
        responses: {
            /** @description The number of matching requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1
                     *     }
                     */
                    "application/json": {
                        count: number;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            413: components["responses"]["TooLarge"];
        };
    };
    findRequests: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "match": {
                 *         "op": "createRecording",
                 *         "status": "4xx"
                 *       },
                 *       "limit": 10
                 *     }
                 */
                "application/json": {
                    /** @description Maximum number of requests; the newest matches are returned. 0 means all. */
                    limit?: number;
                    match?: components["schemas"]["Match"];
                };
            };
        };
        responses: {
            200: components["responses"]["FoundRequests"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
        };
    };
    waitForRequests: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "match": {
                 *         "op": "createUpload"
                 *       },
                 *       "count": 3,
                 *       "timeout_ms": 5000
                 *     }
                 */
                "application/json": {
                    /** @default 1 */
                    count?: number;
                    match?: components["schemas"]["Match"];
                    /**
                     * Format: int64
                     * @description On the wall clock.
                     * @default 10000
                     */
                    timeout_ms?: number;
                };
            };
        };
        responses: {
            200: components["responses"]["FoundRequests"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            408: components["responses"]["Timeout"];
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
        };
    };
    resetWorld: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OK"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            /** @description The server has a data folder, which can't be emptied. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "A sandbox with a data folder can't be reset.",
                     *       "hint": "Start it without --data, or delete the folder while the sandbox is stopped."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSecrets: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secrets, from the lowest tier to the highest; those of the second user last. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secrets"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
        };
    };
    exportSnapshot: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A snapshot. Equal states give equal bytes. */
            200: {
                headers: {
                    /** @description Suggests a file name. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example the bytes of the snapshot */
                    "application/zip": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            507: components["responses"]["Full"];
        };
    };
    importSnapshot: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example the bytes of the snapshot */
                "application/zip": string;
            };
        };
        responses: {
            200: components["responses"]["OK"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
            507: components["responses"]["Full"];
        };
    };
    listSnapshots: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sorted by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "snapshots": [
                     *         {
                     *           "name": "seeded",
                     *           "world": "default",
                     *           "seed": 0,
                     *           "clock": "auto",
                     *           "now": "2026-01-01T00:00:00Z"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": {
                        count: number;
                        snapshots: components["schemas"]["Snapshot"][];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
        };
    };
    createSnapshot: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "seeded"
                 *     }
                 */
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description The snapshot was stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "seeded",
                     *       "world": "default",
                     *       "seed": 0,
                     *       "clock": "auto",
                     *       "now": "2026-01-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
            507: components["responses"]["Full"];
        };
    };
    deleteSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the snapshot. */
                name: components["parameters"]["SnapshotName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OK"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    restoreSnapshot: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Name of the snapshot. */
                name: components["parameters"]["SnapshotName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OK"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
        };
    };
    getHold: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Hold"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
        };
    };
    holdMessages: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "event": "transcript.completed"
                 *     }
                 */
                "application/json": components["schemas"]["Filter"];
            };
        };
        responses: {
            200: components["responses"]["Hold"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
        };
    };
    endHold: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReleasedMessages"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            413: components["responses"]["TooLarge"];
        };
    };
    listenToWebhooks: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "transcript.completed"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Default: all events. */
                    events?: components["schemas"]["EventType"][];
                    /** @description Signing secret, `whsec_…`. Default: a new one. */
                    secret?: string;
                };
            };
        };
        responses: {
            /** @description One JSON value per line. The first has the webhook, each other one a request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"listening":{"webhook_id":"c11f215e-45b8-4f02-b4a0-660702203cb9","url":"https://sink.soundstage.invalid/?answer=500,500,200","events":["transcript.completed"],"secret":"whsec_4dL2cfmHRHUrnziigEzixgE3BoPGTf//cuSMt1SePYA="}} */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
        };
    };
    answerWebhook: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Webhook ID. */
                id: string;
                /** @description Request ID. */
                seen: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "status": 200
                 *     }
                 */
                "application/json": {
                    /** @description The first 2 KiB are kept. */
                    body?: string;
                    /** @description Why there was no response. */
                    error?: string;
                    headers?: {
                        [key: string]: string[];
                    };
                    status?: number;
                };
            };
        };
        responses: {
            200: components["responses"]["OK"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description Event type. */
                event?: components["parameters"]["EventFilter"];
                /** @description Event ID, the header `webhook-id`. */
                event_id?: components["parameters"]["EventIDFilter"];
                /** @description Maximum number of messages; the newest are returned. */
                limit?: number;
                /** @description Any ID in the event's data: recording, output, space, or prompt. */
                resource?: components["parameters"]["ResourceFilter"];
                /** @description Webhook ID. */
                webhook?: components["parameters"]["WebhookFilter"];
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Messages"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
        };
    };
    getMessage: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Message ID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message with its newest attempts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": {
                     *         "id": "a3b22d19-17ca-4acb-ab8b-3439d0a567d2",
                     *         "webhook_id": "c11f215e-45b8-4f02-b4a0-660702203cb9",
                     *         "event": "transcript.completed",
                     *         "event_id": "1812c269-0ae1-444c-b1ce-bdad3b90f08c",
                     *         "resource": "00000000-0000-0000-0000-000000000000",
                     *         "url": "https://sink.soundstage.invalid/",
                     *         "body": "{\"type\":\"transcript.completed\"}",
                     *         "status": "delivered",
                     *         "created_at": "2026-01-01T00:00:00Z",
                     *         "attempts": [
                     *           {
                     *             "number": 1,
                     *             "kind": "delivery",
                     *             "at": "2026-01-01T00:00:01Z",
                     *             "duration_ms": 0,
                     *             "request": {
                     *               "line": "POST / HTTP/1.1",
                     *               "headers": [
                     *                 {
                     *                   "name": "Webhook-Timestamp",
                     *                   "value": "1795295171"
                     *                 }
                     *               ],
                     *               "body": "{\"type\":\"transcript.completed\"}",
                     *               "signed": "1812c269-0ae1-444c-b1ce-bdad3b90f08c.1795295171.{\"type\":\"transcript.completed\"}"
                     *             },
                     *             "response": {
                     *               "status": 200,
                     *               "headers": [],
                     *               "body": ""
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MessageBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    corruptMessage: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Message ID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "what": "signature"
                 *     }
                 */
                "application/json": {
                    what: components["schemas"]["What"];
                };
            };
        };
        responses: {
            200: components["responses"]["Attempts"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
        };
    };
    duplicateMessage: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Message ID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: components["responses"]["Attempts"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
        };
    };
    resendMessage: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Message ID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "sign": "anew"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `same` repeats the original signature; `anew` signs with the current time.
                     * @default same
                     * @enum {string}
                     */
                    sign?: "same" | "anew";
                };
            };
        };
        responses: {
            200: components["responses"]["Attempts"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
        };
    };
    waitForMessages: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "event": "transcript.completed",
                 *       "count": 1,
                 *       "timeout_ms": 5000
                 *     }
                 */
                "application/json": {
                    /** @default 1 */
                    count?: number;
                    event?: components["schemas"]["EventType"];
                    event_id?: string;
                    resource?: string;
                    /**
                     * Format: int64
                     * @description On the wall clock.
                     * @default 10000
                     */
                    timeout_ms?: number;
                    webhook?: string;
                };
            };
        };
        responses: {
            200: components["responses"]["Messages"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            408: components["responses"]["Timeout"];
            413: components["responses"]["TooLarge"];
        };
    };
    getPolicy: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CurrentPolicy"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
        };
    };
    setPolicy: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "drop": 1,
                 *       "fail": {
                 *         "status": 500,
                 *         "count": 2
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Policy"];
            };
        };
        responses: {
            200: components["responses"]["CurrentPolicy"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            413: components["responses"]["TooLarge"];
        };
    };
    releaseMessages: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: components["responses"]["ReleasedMessages"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            413: components["responses"]["TooLarge"];
        };
    };
    reorderMessages: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Number of messages to collect before sending them, newest first. */
                    count?: number;
                    /** @description Held messages to send, in this order. */
                    ids?: string[];
                };
            };
        };
        responses: {
            /** @description The hold state for `count`; the number of released messages for `ids`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldState"] | components["schemas"]["Released"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
        };
    };
    createSink: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "transcript.completed"
                 *       ],
                 *       "status": [
                 *         500,
                 *         500,
                 *         200
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Default: all events. */
                    events?: components["schemas"]["EventType"][];
                    /** @description Signing secret, `whsec_…`. Default: a new one. */
                    secret?: string;
                    /** @description Status codes to respond with, in turn; the last one repeats. Default 200. */
                    status?: number[];
                };
            };
        };
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": "c11f215e-45b8-4f02-b4a0-660702203cb9",
                     *       "url": "https://sink.soundstage.invalid/?answer=500,500,200",
                     *       "events": [
                     *         "transcript.completed"
                     *       ],
                     *       "secret": "whsec_4dL2cfmHRHUrnziigEzixgE3BoPGTf//cuSMt1SePYA="
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
        };
    };
    deleteSink: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path: {
                /** @description Webhook ID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OK"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    streamMessages: {
        parameters: {
            query?: {
                /** @description Event type. */
                event?: components["parameters"]["EventFilter"];
                /** @description Event ID, the header `webhook-id`. */
                event_id?: components["parameters"]["EventIDFilter"];
                /** @description Any ID in the event's data: recording, output, space, or prompt. */
                resource?: components["parameters"]["ResourceFilter"];
                /** @description Webhook ID. */
                webhook?: components["parameters"]["WebhookFilter"];
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One JSON value per line for each attempt that ends from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"message":{"id":"a3b22d19-17ca-4acb-ab8b-3439d0a567d2","webhook_id":"c11f215e-45b8-4f02-b4a0-660702203cb9","event":"transcript.completed","event_id":"1812c269-0ae1-444c-b1ce-bdad3b90f08c","resource":"00000000-0000-0000-0000-000000000000","url":"https://sink.soundstage.invalid/","body":"{\"type\":\"transcript.completed\"}","status":"delivered","created_at":"2026-01-01T00:00:00Z","attempts":[{"number":1,"kind":"delivery","at":"2026-01-01T00:00:01Z","duration_ms":0,"request":{"line":"POST / HTTP/1.1","headers":[{"name":"Webhook-Timestamp","value":"1795295171"}],"body":"{\"type\":\"transcript.completed\"}","signed":"1812c269-0ae1-444c-b1ce-bdad3b90f08c.1795295171.{\"type\":\"transcript.completed\"}"},"response":{"status":200,"headers":[],"body":""}}]},"attempt":{"number":1,"kind":"delivery","at":"2026-01-01T00:00:01Z","duration_ms":0,"request":{"line":"POST / HTTP/1.1","headers":[{"name":"Webhook-Timestamp","value":"1795295171"}],"body":"{\"type\":\"transcript.completed\"}","signed":"1812c269-0ae1-444c-b1ce-bdad3b90f08c.1795295171.{\"type\":\"transcript.completed\"}"},"response":{"status":200,"headers":[],"body":""}}} */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
        };
    };
    triggerEvent: {
        parameters: {
            query?: {
                /** @description Name of the world. */
                world?: components["parameters"]["WorldName"];
            };
            header?: {
                /** @description Name of the world, when the parameter is not sent. */
                "X-Soundstage-World"?: components["parameters"]["WorldHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "transcript.completed",
                 *       "overrides": {
                 *         "transcript_status": "error"
                 *       }
                 *     }
                 */
                "application/json": {
                    event: components["schemas"]["EventType"];
                    /** @description Payload fields to replace, by path. */
                    overrides?: {
                        [key: string]: unknown;
                    };
                    /** @description ID of the recording or output that the event is about. */
                    resource?: string;
                    /** @description Secret for signing a request to `url`. The default is the same in every sandbox. */
                    secret?: string;
                    /** @description Default: the default space. */
                    space_id?: string;
                    url?: string;
                };
            };
        };
        responses: {
            /** @description The messages that were sent or are being sent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event": "transcript.completed",
                     *       "event_id": "1812c269-0ae1-444c-b1ce-bdad3b90f08c",
                     *       "body": "{\"type\":\"transcript.completed\"}",
                     *       "messages": [
                     *         "a3b22d19-17ca-4acb-ab8b-3439d0a567d2"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Triggered"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
        };
    };
    listWorlds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The default world first, then by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "worlds": [
                     *         {
                     *           "world": "default",
                     *           "seed": 0,
                     *           "clock": "auto",
                     *           "time": {
                     *             "mode": "auto",
                     *             "now": "2026-01-01T00:00:00Z",
                     *             "rate": 1
                     *           },
                     *           "counts": {
                     *             "recordings": 0,
                     *             "uploads": 0,
                     *             "transcripts": 0,
                     *             "jobs": 0,
                     *             "requests": 0,
                     *             "messages": 0
                     *           },
                     *           "secrets": {
                     *             "core": "sk_sandbox_core",
                     *             "automation": "sk_sandbox_automation",
                     *             "platform": "sk_sandbox_platform",
                     *             "none": "sk_sandbox_none",
                     *             "other": "sk_sandbox_other"
                     *           }
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": {
                        count: number;
                        worlds: components["schemas"]["World"][];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
        };
    };
    createWorld: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "ci-7",
                 *       "seed": 7,
                 *       "clock": "manual"
                 *     }
                 */
                "application/json": components["schemas"]["NewWorld"];
            };
        };
        responses: {
            /** @description The world was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "world": "ci-7",
                     *       "seed": 7,
                     *       "clock": "manual",
                     *       "time": {
                     *         "mode": "manual",
                     *         "now": "2026-01-01T00:00:00Z",
                     *         "rate": 0
                     *       },
                     *       "counts": {
                     *         "recordings": 0,
                     *         "uploads": 0,
                     *         "transcripts": 0,
                     *         "jobs": 0,
                     *         "requests": 0,
                     *         "messages": 0
                     *       },
                     *       "secrets": {
                     *         "core": "sk_sandbox_core_ci-7",
                     *         "automation": "sk_sandbox_automation_ci-7",
                     *         "platform": "sk_sandbox_platform_ci-7",
                     *         "none": "sk_sandbox_none_ci-7",
                     *         "other": "sk_sandbox_other_ci-7"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["World"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            /** @description The name is taken, or the server has a data folder. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The world \"ci-7\" already exists."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["TooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            /** @description The maximum number of worlds is reached. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The server already has 3 worlds, the maximum.",
                     *       "hint": "Delete unused worlds with DELETE /_soundstage/worlds/NAME."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWorld: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the world. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OK"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoWorld"];
            /** @description The default world can't be deleted. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The default world can't be deleted.",
                     *       "hint": "Empty it with POST /_soundstage/reset."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["Internal"];
        };
    };
}
