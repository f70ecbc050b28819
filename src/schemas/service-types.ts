// Generated from schemas/ by `npm run generate`. Do not edit.
export interface paths {
    "/api/v2/agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create or update the agent of the account that the token names. */
        post: operations["updateAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/agent/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the settings of one agent, as far as the service shows them. */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Outcome: {
            success?: boolean;
            message?: string | null;
        };
        AgentUpdated: {
            success?: boolean;
            message?: string | null;
            campaignId: string;
        };
        AgentAnswer: {
            success?: boolean;
            message?: string | null;
            campaign: components["schemas"]["Campaign"];
        };
        /** @description An agent as the service shows it. A setting that is not set may be null or absent. */
        Campaign: {
            id: string;
            title?: string | null;
            campaignType?: string | null;
            enabled?: boolean | null;
            published?: boolean | null;
            welcomeMessage?: string | null;
            timezone?: string | null;
            agentVoice?: string | null;
            agentLang?: string | null;
            agentModel?: string | null;
            agentInstructions?: string | null;
            publicInstructions?: string | null;
            adminInstructions?: string | null;
            heartbeatInstructions?: string | null;
            heartbeatEvery?: string | null;
            agentThinking?: string | null;
            links?: string[] | null;
            activeEventRules?: string[] | null;
            actions?: components["schemas"]["LiveAction"][] | null;
            skills?: components["schemas"]["LiveSkill"][] | null;
            apps?: Record<string, never>[] | null;
            /** @description Time of the last update, in milliseconds since the epoch. */
            lastUpdate?: number | null;
        };
        LiveAction: {
            name: string;
            instructions?: string | null;
            placeholder?: string | null;
            allowed?: boolean | null;
        };
        LiveSkill: {
            slug: string;
            instructions?: string | null;
            allowed?: boolean | null;
            usable?: boolean | null;
            reason?: string | null;
        };
        AgentBody: {
            /**
             * @description Agent type. May be left out: it has one value.
             * @default chatAgent
             * @constant
             */
            type: "chatAgent";
            /** @description Agent title. */
            title: string;
            /** @description Description of the agent. */
            description: string;
            /** @description Greeting shown or spoken when a user first reaches the agent. */
            welcomeMessage?: string;
            /**
             * @description HTTP links used as external knowledge.
             * @example [
             *       "https://www.example.com/opening-hours"
             *     ]
             */
            links?: string[];
            /** @description Names of actions that the agent can take. */
            actions?: string[];
            /**
             * @description IANA time zone that the agent operates in.
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @description Voice model. */
            agentVoice?: string;
            /**
             * @description Language for voice and transcription.
             * @default en-US
             * @enum {unknown}
             */
            agentLang: "en-US" | "multi" | "es-MX" | "es-ES" | "es-US";
            /**
             * @description Instructions for user interaction.
             * @example {
             *       "file": "../prompts/front-desk.md"
             *     }
             */
            agentInstructions?: string;
            /** @description Extra instructions used only in public-facing conversations. */
            publicInstructions?: string;
            /** @description Instructions written into the managed admin section of the agent's instruction file on publish. */
            adminInstructions?: string;
            /** @description Instructions written into the managed heartbeat section on publish. */
            heartbeatInstructions?: string;
            /**
             * @description Heartbeat interval override, as interval text. It persists on the draft and is sent only when it changed.
             * @example 30m
             */
            heartbeatEvery?: string;
            /** @description Language model used for the agent's intelligence. */
            agentModel?: string;
            /**
             * @description Reasoning budget for models that support thinking; null disables it.
             * @enum {unknown}
             */
            agentThinking?: "low" | null;
            /** @description Model for the pauseAndThink function; the service has a default. */
            agentThinkingModel?: string;
            /** @description Forces the summary, reporting and spam detection after a conversation onto a thinking-capable model when agentThinking is off and the chosen model cannot think. Uses agentThinkingModel. */
            postConvoForceThinking?: boolean;
            /**
             * @description Speech-to-speech engine; requires a specific paid plan.
             * @default null
             * @enum {unknown}
             */
            agentS2SEngine: "s2s_a" | "s2s_b" | null;
            /**
             * @description Speech-to-text engine.
             * @default stt_b
             * @enum {unknown}
             */
            agentSttEngine: "stt_a" | "stt_b" | "stt_b_flux" | "stt_c";
            /**
             * @description Smart formatting of transcripts; punctuation and numerals stay enabled regardless.
             * @default true
             */
            agentSttSmartFormatting: boolean;
            /**
             * @description DTMF digits sent when answering a call, for forwarding platforms that check for them.
             * @example 1
             */
            postAnswerDtmf?: string;
            /** @description Wait before speaking the welcomeMessage, in milliseconds. */
            waitOnAnswer?: number;
            /**
             * @description Words that a caller must speak for it to count as an interruption.
             * @default 3
             */
            interruptionWordCount: number;
            /**
             * @description How long the agent must have been speaking before it can be interrupted, in seconds.
             * @default 3
             */
            interruptionMinimumSpeakingTime: number;
            /**
             * @description Gap between words after which the caller is considered finished, in milliseconds.
             * @default 1200
             */
            speakingTimeout: number;
            /**
             * @description Delay before processed speech is sent to the model, in milliseconds; it rises and falls with the number of recent interruptions.
             * @default 500
             */
            speechProcessingDelay: number;
            /**
             * @description Delay added per interruption, in milliseconds.
             * @default 500
             */
            speechProcessingDelayInterruptionStep: number;
            /**
             * @description Maximum number of interruptions that influence the delay.
             * @default 4
             */
            speechProcessingDelayMaxMultiplier: number;
            /**
             * @description Caller silence before the agent asks whether the caller is still there, in seconds.
             * @default 13
             */
            callerResponseTimeout: number;
            /**
             * @description Maximum number of such asks before the call is hung up.
             * @default 3
             */
            callerResponseTimeoutHangupCounter: number;
            /**
             * @description When true, the caller's contact card is not injected into the agent's context.
             * @default false
             */
            noContactInjection: boolean;
            /**
             * @description When true, the history of the caller's call summaries is not injected.
             * @default false
             */
            noConvoHistory: boolean;
            /**
             * @description `true`: notify callers from area codes where notice is legally required; `false`: never notify; `always`: notify every caller. The service wants a string; a YAML boolean is accepted and sent as one.
             * @default true
             * @enum {unknown}
             */
            autoRecordingNotification: "true" | "false" | "always";
            /**
             * @description Phrase spoken to announce recording.
             * @default This call is being recorded.
             */
            recordingNotificationPhrase: string;
            /**
             * @description Ringing that the caller experiences before the agent answers, in seconds, 1 to 60; null for none.
             * @default null
             */
            preAnswerRingTime: number | null;
            /**
             * @description When true, pre-answer functions return raw results straight to the agent's context without another model step.
             * @default false
             */
            preAnswerSkipProcessingResults: boolean;
            /**
             * @description Declarative skill configuration for agent-runtime deployments.
             * @default []
             */
            skills: {
                /** @description Canonical slug of the skill. */
                slug: string;
                /** @description Instructions written into the managed tools section on publish. */
                instructions: string;
            }[];
            /**
             * @description Apps enabled for the agent.
             * @default []
             */
            apps: {
                /** @description Identifier of the app. */
                appId: string;
                /**
                 * @description Version of the app's integration.
                 * @example v1
                 */
                version: string;
                /** @description How the agent should use the app. */
                instructions: string;
            }[];
            /** @description Background audio on calls: an HTTP(S) URL, or an object. Members left out have their defaults; it is sent whole. */
            backgroundAudio?: string | {
                /** @description HTTP(S) URL of the audio. */
                url: string;
                /**
                 * @description Play it again when it ends.
                 * @default true
                 */
                loop: boolean;
                /**
                 * @description Gain; negative is quieter.
                 * @default 0
                 */
                gain: number;
                /**
                 * @description Start once the greeting has been spoken.
                 * @default true
                 */
                startAfterGreeting: boolean;
                /**
                 * @description `bg` ambient or `fx` foreground.
                 * @enum {unknown}
                 */
                track?: "bg" | "fx";
            };
            /**
             * @description JavaScript regex. On inbound voice calls, a match of the SIP caller name rejects the call before answer. Reject wins over transfer when both match.
             * @default null
             * @example [Ss]pam
             */
            cnamAutoRejectRegex: string | null;
            /**
             * @description SIP reject code used on a reject match.
             * @default 603
             */
            cnamAutoRejectCode: number;
            /**
             * @description JavaScript regex. On inbound voice calls, a match, when reject did not match, transfers the call silently.
             * @default null
             * @example ^VIP
             */
            cnamAutoTransferRegex: string | null;
            /**
             * @description E.164 phone number, or `ext:<number>`, or `pbx:<number>`.
             * @default null
             * @example ext:100
             */
            cnamAutoTransferDestination: string | null;
            /**
             * @description The callee must press 1 before the transfer completes.
             * @default false
             */
            confirmTransfers: boolean;
            /**
             * @description Keep monitoring and transcribing transferred calls.
             * @default false
             */
            monitorTransfers: boolean;
            /**
             * @description The agent stays on the line during transfer attempts and the answerer must say Yes. Overrides confirmTransfers.
             * @default false
             */
            attendedTransfers: boolean;
            /**
             * @description What the transferee must say for bridging: null (means Yes), `any`, or a JavaScript regex.
             * @default null
             */
            attendedTransferBridgeTrigger: string | null;
            /**
             * @description Wait for confirmation after a transfer with confirmTransfers or attendedTransfers is answered, in seconds.
             * @default 30
             */
            transferConfirmTimeout: number;
        } & {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description The call failed. */
        Failure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Outcome"];
            };
        };
    };
    parameters: {
        /** @description The child account to act for, with a reseller's token. */
        TargetAccountId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    updateAgent: {
        parameters: {
            query?: {
                /** @description The child account to act for, with a reseller's token. */
                targetAccountId?: components["parameters"]["TargetAccountId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentBody"];
            };
        };
        responses: {
            /** @description The draft was written. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentUpdated"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    getAgent: {
        parameters: {
            query?: {
                /** @description The child account to act for, with a reseller's token. */
                targetAccountId?: components["parameters"]["TargetAccountId"];
            };
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentAnswer"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
}
