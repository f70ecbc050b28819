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
    "/api/v2/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Queue one task. */
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tasks/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Queue the tasks of a CSV file; with dryRun it is only validated. */
        post: operations["uploadTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/createOrganization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create an organization under the caller's reseller account. */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/member": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Update a member of the caller's organization. */
        put: operations["updateMember"];
        /** Invite a person to the caller's account. */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add context for conversations with one person. */
        post: operations["addContext"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/agentUrl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the URL of an agent; an existing one is replaced. */
        post: operations["setAgentUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/phoneNumber/byo/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Assign a customer-supplied number to an agent; needs a reseller account. */
        post: operations["assignPhoneNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List rooms of the priority inbox. */
        get: operations["listConversations"];
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
            success: boolean;
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
             * @description Optional, because there is only one type.
             * @default chatAgent
             * @example chatAgent
             * @constant
             */
            type: "chatAgent";
            /**
             * @description The title of the agent.
             * @example Front desk
             */
            title: string;
            /**
             * @description Description of the agent.
             * @example Answers the phone and books appointments.
             */
            description: string;
            /**
             * @description Greeting shown or spoken when a user first reaches the agent.
             * @example Hello, how can I help?
             */
            welcomeMessage?: string;
            /**
             * @description HTTP links to web pages that the agent uses as external knowledge.
             * @example [
             *       "https://www.example.com/opening-hours"
             *     ]
             */
            links?: string[];
            /**
             * @description Names of actions that the agent can take.
             * @example [
             *       "transferCall"
             *     ]
             */
            actions?: string[];
            /**
             * @description IANA time zone that the agent operates in.
             * @example Europe/Berlin
             */
            timezone?: string;
            /**
             * @description Voice model.
             * @example warm-1
             */
            agentVoice?: string;
            /**
             * @description Language for voice and transcription.
             * @default en-US
             * @example es-US
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
            /**
             * @description Extra instructions used only in public-facing conversations.
             * @example Never say prices in public chats.
             */
            publicInstructions?: string;
            /**
             * @description Instructions that a publish writes into the managed admin section of the agent's instruction file.
             * @example Only admins may change opening hours.
             */
            adminInstructions?: string;
            /**
             * @description Instructions that a publish writes into the managed heartbeat section.
             * @example Check for missed appointments.
             */
            heartbeatInstructions?: string;
            /**
             * @description The time between two heartbeats of the agent, such as `30m`. The service stores this setting with the draft. agentform sends the setting only if it changed.
             * @example 30m
             */
            heartbeatEvery?: string;
            /**
             * @description Language model used for the agent's intelligence.
             * @example standard-2
             */
            agentModel?: string;
            /**
             * @description Reasoning budget for models that support thinking. Null disables thinking.
             * @example low
             * @enum {unknown}
             */
            agentThinking?: "low" | null;
            /**
             * @description Model for the pauseAndThink function. The service has a default.
             * @example large-1
             */
            agentThinkingModel?: string;
            /**
             * @description Whether to use agentThinkingModel for the summary, reporting and spam detection after a conversation, if agentThinking is off and the chosen model cannot think.
             * @example true
             */
            postConvoForceThinking?: boolean;
            /**
             * @description Requires a specific paid plan.
             * @default null
             * @example s2s_a
             * @enum {unknown}
             */
            agentS2SEngine: "s2s_a" | "s2s_b" | null;
            /**
             * @description Speech-to-text engine.
             * @default stt_b
             * @example stt_b_flux
             * @enum {unknown}
             */
            agentSttEngine: "stt_a" | "stt_b" | "stt_b_flux" | "stt_c";
            /**
             * @description Punctuation and numerals always stay enabled.
             * @default true
             * @example false
             */
            agentSttSmartFormatting: boolean;
            /**
             * @description DTMF digits that the agent sends when it answers a call, for forwarding platforms that check for them.
             * @example 1
             */
            postAnswerDtmf?: string;
            /**
             * @description Milliseconds to wait before speaking the welcomeMessage.
             * @example 500
             */
            waitOnAnswer?: number;
            /**
             * @description Number of words that a caller must speak to interrupt the agent.
             * @default 3
             * @example 2
             */
            interruptionWordCount: number;
            /**
             * @description Seconds that the agent must have spoken before a caller can interrupt it.
             * @default 3
             * @example 2
             */
            interruptionMinimumSpeakingTime: number;
            /**
             * @description Pause, in milliseconds, after which the caller is considered to have finished speaking.
             * @default 1200
             * @example 1500
             */
            speakingTimeout: number;
            /**
             * @description Milliseconds before processed speech is sent to the model. The delay rises and falls with the number of recent interruptions.
             * @default 500
             * @example 300
             */
            speechProcessingDelay: number;
            /**
             * @description Delay added per interruption, in milliseconds.
             * @default 500
             * @example 250
             */
            speechProcessingDelayInterruptionStep: number;
            /**
             * @description Maximum number of interruptions that influence the delay.
             * @default 4
             * @example 3
             */
            speechProcessingDelayMaxMultiplier: number;
            /**
             * @description Seconds of caller silence before the agent asks whether the caller is still there.
             * @default 13
             * @example 20
             */
            callerResponseTimeout: number;
            /**
             * @description Maximum number of times that the agent asks before it hangs up.
             * @default 3
             * @example 2
             */
            callerResponseTimeoutHangupCounter: number;
            /**
             * @description When true, the caller's contact card is not injected into the agent's context.
             * @default false
             * @example true
             */
            noContactInjection: boolean;
            /**
             * @description When true, the history of the caller's call summaries is not injected into the agent's context.
             * @default false
             * @example true
             */
            noConvoHistory: boolean;
            /**
             * @description `true`: notify callers from area codes where notice is legally required. `false`: never notify. `always`: notify every caller. The service expects a string, so agentform sends a YAML boolean as a string.
             * @default true
             * @example always
             * @enum {unknown}
             */
            autoRecordingNotification: "true" | "false" | "always";
            /**
             * @description Phrase spoken to announce recording.
             * @default This call is being recorded.
             * @example This call is recorded so that we can help you better.
             */
            recordingNotificationPhrase: string;
            /**
             * @description Seconds that the phone rings before the agent answers, 1 to 60. Null for none.
             * @default null
             * @example 5
             */
            preAnswerRingTime: number | null;
            /**
             * @description When true, pre-answer functions return raw results straight to the agent's context without another model step.
             * @default false
             * @example true
             */
            preAnswerSkipProcessingResults: boolean;
            /**
             * @description The skills of the agent, for deployments on the agent runtime.
             * @default []
             * @example [
             *       {
             *         "slug": "calendar",
             *         "instructions": "Offer the next two free appointments."
             *       }
             *     ]
             */
            skills: {
                /**
                 * @description Canonical slug of the skill.
                 * @example calendar
                 */
                slug: string;
                /**
                 * @description Instructions that a publish writes into the managed tools section.
                 * @example Offer the next two free appointments.
                 */
                instructions: string;
            }[];
            /**
             * @description Apps enabled for the agent.
             * @default []
             * @example [
             *       {
             *         "appId": "squareUp",
             *         "version": "v1",
             *         "instructions": "Take bookings."
             *       }
             *     ]
             */
            apps: {
                /**
                 * @description Identifier of the app.
                 * @example squareUp
                 */
                appId: string;
                /**
                 * @description Version of the app's integration.
                 * @example v1
                 */
                version: string;
                /**
                 * @description How the agent should use the app.
                 * @example Take bookings.
                 */
                instructions: string;
            }[];
            /**
             * @description Background audio on calls: an HTTP(S) URL, or an object. agentform sends the whole object, so the service resets omitted properties to their defaults.
             * @example {
             *       "url": "https://cdn.example.com/office.mp3",
             *       "gain": -6
             *     }
             */
            backgroundAudio?: string | {
                /**
                 * @description HTTP(S) URL of the audio.
                 * @example https://cdn.example.com/office.mp3
                 */
                url: string;
                /**
                 * @description Whether to play the audio again when it ends.
                 * @default true
                 * @example false
                 */
                loop: boolean;
                /**
                 * @description Change in volume. A negative value makes the audio quieter.
                 * @default 0
                 * @example -6
                 */
                gain: number;
                /**
                 * @description Whether to start only after the greeting.
                 * @default true
                 * @example false
                 */
                startAfterGreeting: boolean;
                /**
                 * @description `bg`: ambient sound. `fx`: foreground sound.
                 * @example bg
                 * @enum {unknown}
                 */
                track?: "bg" | "fx";
            };
            /**
             * @description JavaScript regex. If it matches the SIP caller name of an inbound voice call, the call is rejected before the agent answers, even if cnamAutoTransferRegex also matches.
             * @default null
             * @example [Ss]pam
             */
            cnamAutoRejectRegex: string | null;
            /**
             * @description The SIP code for calls that cnamAutoRejectRegex rejects.
             * @default 603
             * @example 486
             */
            cnamAutoRejectCode: number;
            /**
             * @description JavaScript regex. If it matches the caller name of an inbound voice call and cnamAutoRejectRegex does not, the call is transferred silently.
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
             * @example true
             */
            confirmTransfers: boolean;
            /**
             * @description Whether to keep monitoring and transcribing transferred calls.
             * @default false
             * @example true
             */
            monitorTransfers: boolean;
            /**
             * @description The agent stays on the line during transfer attempts, and the person who answers must say Yes. Overrides confirmTransfers.
             * @default false
             * @example true
             */
            attendedTransfers: boolean;
            /**
             * @description The answer that connects the caller: null (means Yes), `any`, or a JavaScript regex.
             * @default null
             * @example any
             */
            attendedTransferBridgeTrigger: string | null;
            /**
             * @description Seconds to wait for confirmation after a transfer is answered. Applies to confirmTransfers and attendedTransfers.
             * @default 30
             * @example 45
             */
            transferConfirmTimeout: number;
        } & {
            [key: string]: unknown;
        };
        /** @description A task: a call, a text, an e-mail or a ping. */
        TaskBody: {
            /**
             * @description Kind of task.
             * @enum {unknown}
             */
            type: "call" | "text" | "email" | "ping";
            /** @description The recipient. Required for call, text and email. */
            target?: string;
            /** @description Body of an email. Raw HTML is supported. */
            message?: string;
            /** @description Context of the task. */
            context?: string;
            /** @description Greeting of the task. */
            greeting?: string;
            /** @description Whether to wait before the greeting. */
            waitToGreet?: boolean;
            /** @description Account that the task is for. */
            accountId?: number;
            /** @description The time of the task, in seconds since 1970. */
            scheduledFor?: number;
            /** @description Task metadata. */
            meta?: {
                /** @description What an e-mail needs besides its body. */
                email?: {
                    /** @description Subject. */
                    subject?: string;
                    /** @description Attachments. */
                    attachments?: components["schemas"]["Attachment"][];
                };
                /** @description For calls: the destination to bridge the answered call to. */
                bridgeAfterAnswer?: {
                    /** @description Number to bridge to. */
                    destination: string;
                    /** @description Keep monitoring the bridged call. */
                    monitor?: boolean;
                };
            };
        } & unknown;
        Attachment: {
            filename: string;
            /** @description MIME type. */
            type: string;
            /** @description Base64. */
            content: string;
            /** @description Such as attachment. */
            disposition?: string;
        };
        /** @description The specification does not show the form of the response. */
        TaskCreated: {
            success?: boolean;
            message?: string | null;
        };
        TaskUpload: {
            /**
             * Format: binary
             * @description The file, with a header row.
             */
            csv: string;
            /**
             * @description `true` to validate only.
             * @enum {unknown}
             */
            dryRun?: "true" | "false";
        };
        /** @description The specification does not show the form of the response. */
        TasksUploaded: {
            success?: boolean;
            message?: string | null;
        };
        /** @description The specification does not show the organization's fields. */
        OrganizationCreated: {
            success: boolean;
            message?: string | null;
            organization?: Record<string, never> | null;
        };
        AgentUrlSet: {
            success?: boolean;
            message?: string | null;
            slug: string;
        };
        Conversations: {
            success?: boolean;
            message?: string | null;
            pageSize?: number | null;
            pageNumber?: number | null;
            totalRooms?: number | null;
            rooms: components["schemas"]["Room"][];
        };
        /** @description A room of the priority inbox. */
        Room: {
            roomId: string;
            name?: string | null;
            /** @description An integer above 2^53 in the response becomes a string, which keeps all digits. */
            id?: number | string | null;
            image?: string | null;
            servicePhoneNumber?: string | null;
            unregistered?: boolean | null;
            unregisteredDisplayName?: string | null;
            destinationInboxType?: string | null;
            lastMessage?: string | null;
            /** @description In seconds since the epoch. */
            lastMessageTimestamp?: number | null;
            chatAgentCampaignId?: string | null;
        };
        OrganizationBody: {
            /**
             * @description Name of the organization.
             * @example Acme Plumbing
             */
            orgName: string;
            /**
             * @description Email address of the administrator of the new organization.
             * @example office@acme.example.com
             */
            email?: string;
            /**
             * @description The service creates an agent with this name for the organization.
             * @example Acme front desk
             */
            accountName?: string;
            /**
             * @description `internal`: billed through the reseller's usage. `customer`: the organization may have full subscriptions.
             * @default customer
             * @example internal
             * @enum {unknown}
             */
            orgAccountType: "internal" | "customer";
            /**
             * @description The plan of the organization. Defaults to the reseller's sell-plan.
             * @example plan-basic
             */
            productPlanId?: string;
            /**
             * @description The plan that the organization is offered.
             * @example plan-plus
             */
            offeredProductPlanId?: string;
            /**
             * @description The customer's id in your own system, such as a CRM.
             * @example crm-1042
             */
            externalAccountId?: string;
            /**
             * @description The customer's id in your billing system.
             * @example bill-1042
             */
            externalBillingId?: string;
            /**
             * @description The HIPAA setting. `inherit` uses the reseller's setting.
             * @example inherit
             * @enum {unknown}
             */
            hipaaSetting?: "on" | "off" | "inherit";
            /**
             * @description Numbering providers with their credentials.
             * @example [
             *       {
             *         "providerId": "acme-voice",
             *         "config": {
             *           "apiKey": "${secret.VOICE_KEY}"
             *         }
             *       }
             *     ]
             */
            numberingProviders?: {
                /**
                 * @description Identifier of the numbering provider.
                 * @example acme-voice
                 */
                providerId: string;
                /**
                 * @description Credentials for the provider. Write strings as ${secret.NAME}.
                 * @example {
                 *       "apiKey": "${secret.VOICE_KEY}"
                 *     }
                 */
                config: {
                    [key: string]: unknown;
                };
                /**
                 * @description Whether to use this provider by default.
                 * @example true
                 */
                default?: boolean;
            }[];
            /**
             * @description Whether the account is a paying account.
             * @example true
             */
            servicePremium?: boolean;
            /**
             * @description Whether SMS is enabled on the agent.
             * @example true
             */
            smsEnabled?: boolean;
            /**
             * @description The id of a registered SMS brand.
             * @example brand-1
             */
            smsBrandId?: string;
            /**
             * @description The id of an approved SMS campaign.
             * @example sms-1
             */
            smsCampaignId?: string;
            /**
             * @description Integrations with their credentials and settings.
             * @example [
             *       {
             *         "appId": "squareUp",
             *         "appVersion": "v1",
             *         "appData": {
             *           "apiKey": "${secret.SQUARE_KEY}"
             *         }
             *       }
             *     ]
             */
            integrations?: {
                /**
                 * @description Identifier of the app.
                 * @example squareUp
                 */
                appId: string;
                /**
                 * @description Version of the integration.
                 * @example v1
                 */
                appVersion: string;
                /**
                 * @description Credentials and settings of the app. Write strings as ${secret.NAME}.
                 * @example {
                 *       "apiKey": "${secret.SQUARE_KEY}"
                 *     }
                 */
                appData: {
                    [key: string]: unknown;
                };
            }[];
        } & {
            [key: string]: unknown;
        };
        MemberInvitation: {
            /**
             * @description Email address of the member.
             * @example jo@acme.example.com
             */
            email: string;
            /**
             * @description Page that the invited person sees after accepting. Used only for the invitation.
             * @example https://www.example.com/welcome
             */
            redirectUrl?: string;
            /**
             * @description The role of the member. Defaults to `admin` for an invitation.
             * @example admin
             */
            role?: string;
            /**
             * @description Account ids. An empty list lifts all restrictions.
             * @example [
             *       101,
             *       102
             *     ]
             */
            permittedAccountIds?: number[];
            /**
             * @description Whether to send a welcome email. Used only for the invitation.
             * @default true
             * @example false
             */
            sendWelcomeEmail: boolean;
        } & {
            [key: string]: unknown;
        };
        /** @description What can be changed of a member. */
        MemberUpdate: {
            /** @description User id of the member. */
            targetMemberId: number;
            email?: string;
            role?: string;
            /** @description An empty list removes all restrictions. */
            permittedAccountIds?: number[];
        };
        ContextBody: {
            /**
             * @description Free text that the agent can use in conversations with the person.
             * @example Prefers to be called in the morning.
             */
            context: string;
            /**
             * @description The person's phone number or user name.
             * @example +14155550100
             */
            target?: string;
        } & {
            [key: string]: unknown;
        };
        AgentUrlBody: {
            /**
             * @description The agent that gets the URL.
             * @example front-desk
             */
            targetUsername: string;
            /**
             * @description Slug of the URL. Replaces an existing slug.
             * @example elm-street
             */
            slug: string;
        } & {
            [key: string]: unknown;
        };
        PhoneNumberBody: {
            /**
             * @description A number in E.164 format, such as +14155550100.
             * @example +14155550100
             */
            number: string;
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
        /** @description The reseller under which the organization is created. The name can be set in service.parameters. */
        TargetResellerId: string;
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
    createTask: {
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
                "application/json": components["schemas"]["TaskBody"];
            };
        };
        responses: {
            /** @description The task is queued. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskCreated"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    uploadTasks: {
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
                "multipart/form-data": components["schemas"]["TaskUpload"];
            };
        };
        responses: {
            /** @description The rows are queued, or with dryRun validated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TasksUploaded"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    createOrganization: {
        parameters: {
            query: {
                /** @description The reseller under which the organization is created. The name can be set in service.parameters. */
                targetResellerId: components["parameters"]["TargetResellerId"];
                /** @description The child account to act for, with a reseller's token. */
                targetAccountId?: components["parameters"]["TargetAccountId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationBody"];
            };
        };
        responses: {
            /** @description The organization. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationCreated"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    updateMember: {
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
                "application/json": components["schemas"]["MemberUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    inviteMember: {
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
                "application/json": components["schemas"]["MemberInvitation"];
            };
        };
        responses: {
            /** @description The invitation is sent. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    addContext: {
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
                "application/json": components["schemas"]["ContextBody"];
            };
        };
        responses: {
            /** @description The context is added. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    setAgentUrl: {
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
                "application/json": components["schemas"]["AgentUrlBody"];
            };
        };
        responses: {
            /** @description The URL is set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentUrlSet"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    assignPhoneNumber: {
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
                "application/json": components["schemas"]["PhoneNumberBody"];
            };
        };
        responses: {
            /** @description The number is assigned. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    listConversations: {
        parameters: {
            query: {
                /** @description Whether to return the rooms page by page. The name can be set in service.parameters. */
                pagination: boolean;
                /** @description Page, from 0. */
                page?: number;
                /** @description Number of rooms on a page. */
                pageSize?: number;
                /** @description Only rooms with unread messages. */
                unread?: boolean;
                /** @description The child account to act for, with a reseller's token. */
                targetAccountId?: components["parameters"]["TargetAccountId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rooms. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversations"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
}
