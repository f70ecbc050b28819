// Generated from schemas/ by `npm run generate`. Do not edit.

/** One field of a kind, as schemas/manifest.schema.json declares it. */
export interface FieldSchema {
  /** Section of the manifest that holds it. */
  readonly section: string;
  /** Its name there and in the request. For a field that is a section of its own, the section's name. */
  readonly name: string;
  /** The field is the whole section, not a member of it. */
  readonly isSection: boolean;
  /** How it compares: one value, a set, a list keyed by `mapKey`, or an object member by member. */
  readonly shape: 'value' | 'set' | 'map' | 'object';
  /** JSON types that the value may have. */
  readonly types: readonly string[];
  readonly required: boolean;
  /** Whether the read response carries it. */
  readonly readable: boolean;
  /** Its name in the read response. */
  readonly readAs: string;
  /** Goes into a request only when it changed. */
  readonly sendOnChange: boolean;
  readonly sensitive: boolean;
  readonly description: string;
  /** The documented default; undefined where there is none. */
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  /** For the shape `map`: the member that identifies an element. */
  readonly mapKey?: string;
  /** For the shape `object`: the member that a plain string stands for. */
  readonly shorthand?: string;
  /** For the shapes `map` (without its key) and `object`. */
  readonly members?: readonly MemberSchema[];
}

export interface MemberSchema {
  readonly name: string;
  readonly types: readonly string[];
  readonly description: string;
  readonly default?: unknown;
}

export type KindName = 'Agent';

export const fieldsByKind: Readonly<Record<KindName, readonly FieldSchema[]>> = {
  "Agent": [
    {
      "section": "settings",
      "name": "type",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": true,
      "readAs": "campaignType",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Agent type. May be left out: it has one value.",
      "default": "chatAgent"
    },
    {
      "section": "settings",
      "name": "title",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": true,
      "readable": true,
      "readAs": "title",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Agent title."
    },
    {
      "section": "settings",
      "name": "description",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": true,
      "readable": false,
      "readAs": "description",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Description of the agent."
    },
    {
      "section": "settings",
      "name": "welcomeMessage",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": true,
      "readAs": "welcomeMessage",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Greeting shown or spoken when a user first reaches the agent."
    },
    {
      "section": "settings",
      "name": "links",
      "isSection": false,
      "shape": "set",
      "types": [
        "array"
      ],
      "required": false,
      "readable": true,
      "readAs": "links",
      "sendOnChange": false,
      "sensitive": false,
      "description": "HTTP links used as external knowledge."
    },
    {
      "section": "settings",
      "name": "actions",
      "isSection": false,
      "shape": "set",
      "types": [
        "array"
      ],
      "required": false,
      "readable": true,
      "readAs": "actions[].name",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Names of actions that the agent can take."
    },
    {
      "section": "settings",
      "name": "timezone",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": true,
      "readAs": "timezone",
      "sendOnChange": false,
      "sensitive": false,
      "description": "IANA time zone that the agent operates in."
    },
    {
      "section": "settings",
      "name": "agentVoice",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": true,
      "readAs": "agentVoice",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Voice model."
    },
    {
      "section": "settings",
      "name": "agentLang",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": true,
      "readAs": "agentLang",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Language for voice and transcription.",
      "default": "en-US"
    },
    {
      "section": "settings",
      "name": "agentInstructions",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": true,
      "readAs": "agentInstructions",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Instructions for user interaction."
    },
    {
      "section": "settings",
      "name": "publicInstructions",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": true,
      "readAs": "publicInstructions",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Extra instructions used only in public-facing conversations."
    },
    {
      "section": "settings",
      "name": "adminInstructions",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": true,
      "readAs": "adminInstructions",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Instructions written into the managed admin section of the agent's instruction file on publish."
    },
    {
      "section": "settings",
      "name": "heartbeatInstructions",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": true,
      "readAs": "heartbeatInstructions",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Instructions written into the managed heartbeat section on publish."
    },
    {
      "section": "settings",
      "name": "heartbeatEvery",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": true,
      "readAs": "heartbeatEvery",
      "sendOnChange": true,
      "sensitive": false,
      "description": "Heartbeat interval override, as interval text. It persists on the draft and is sent only when it changed."
    },
    {
      "section": "settings",
      "name": "agentModel",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": true,
      "readAs": "agentModel",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Language model used for the agent's intelligence."
    },
    {
      "section": "settings",
      "name": "agentThinking",
      "isSection": false,
      "shape": "value",
      "types": [
        "string",
        "null"
      ],
      "required": false,
      "readable": true,
      "readAs": "agentThinking",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Reasoning budget for models that support thinking; null disables it."
    },
    {
      "section": "settings",
      "name": "agentThinkingModel",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "agentThinkingModel",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Model for the pauseAndThink function; the service has a default."
    },
    {
      "section": "settings",
      "name": "postConvoForceThinking",
      "isSection": false,
      "shape": "value",
      "types": [
        "boolean"
      ],
      "required": false,
      "readable": false,
      "readAs": "postConvoForceThinking",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Forces the summary, reporting and spam detection after a conversation onto a thinking-capable model when agentThinking is off and the chosen model cannot think. Uses agentThinkingModel."
    },
    {
      "section": "settings",
      "name": "agentS2SEngine",
      "isSection": false,
      "shape": "value",
      "types": [
        "string",
        "null"
      ],
      "required": false,
      "readable": false,
      "readAs": "agentS2SEngine",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Speech-to-speech engine; requires a specific paid plan.",
      "default": null
    },
    {
      "section": "settings",
      "name": "agentSttEngine",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "agentSttEngine",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Speech-to-text engine.",
      "default": "stt_b"
    },
    {
      "section": "settings",
      "name": "agentSttSmartFormatting",
      "isSection": false,
      "shape": "value",
      "types": [
        "boolean"
      ],
      "required": false,
      "readable": false,
      "readAs": "agentSttSmartFormatting",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Smart formatting of transcripts; punctuation and numerals stay enabled regardless.",
      "default": true
    },
    {
      "section": "settings",
      "name": "postAnswerDtmf",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "postAnswerDtmf",
      "sendOnChange": false,
      "sensitive": false,
      "description": "DTMF digits sent when answering a call, for forwarding platforms that check for them."
    },
    {
      "section": "settings",
      "name": "waitOnAnswer",
      "isSection": false,
      "shape": "value",
      "types": [
        "integer"
      ],
      "required": false,
      "readable": false,
      "readAs": "waitOnAnswer",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Wait before speaking the welcomeMessage, in milliseconds.",
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "interruptionWordCount",
      "isSection": false,
      "shape": "value",
      "types": [
        "integer"
      ],
      "required": false,
      "readable": false,
      "readAs": "interruptionWordCount",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Words that a caller must speak for it to count as an interruption.",
      "default": 3,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "interruptionMinimumSpeakingTime",
      "isSection": false,
      "shape": "value",
      "types": [
        "integer"
      ],
      "required": false,
      "readable": false,
      "readAs": "interruptionMinimumSpeakingTime",
      "sendOnChange": false,
      "sensitive": false,
      "description": "How long the agent must have been speaking before it can be interrupted, in seconds.",
      "default": 3,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "speakingTimeout",
      "isSection": false,
      "shape": "value",
      "types": [
        "integer"
      ],
      "required": false,
      "readable": false,
      "readAs": "speakingTimeout",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Gap between words after which the caller is considered finished, in milliseconds.",
      "default": 1200,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "speechProcessingDelay",
      "isSection": false,
      "shape": "value",
      "types": [
        "integer"
      ],
      "required": false,
      "readable": false,
      "readAs": "speechProcessingDelay",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Delay before processed speech is sent to the model, in milliseconds; it rises and falls with the number of recent interruptions.",
      "default": 500,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "speechProcessingDelayInterruptionStep",
      "isSection": false,
      "shape": "value",
      "types": [
        "integer"
      ],
      "required": false,
      "readable": false,
      "readAs": "speechProcessingDelayInterruptionStep",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Delay added per interruption, in milliseconds.",
      "default": 500,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "speechProcessingDelayMaxMultiplier",
      "isSection": false,
      "shape": "value",
      "types": [
        "integer"
      ],
      "required": false,
      "readable": false,
      "readAs": "speechProcessingDelayMaxMultiplier",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Maximum number of interruptions that influence the delay.",
      "default": 4,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "callerResponseTimeout",
      "isSection": false,
      "shape": "value",
      "types": [
        "integer"
      ],
      "required": false,
      "readable": false,
      "readAs": "callerResponseTimeout",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Caller silence before the agent asks whether the caller is still there, in seconds.",
      "default": 13,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "callerResponseTimeoutHangupCounter",
      "isSection": false,
      "shape": "value",
      "types": [
        "integer"
      ],
      "required": false,
      "readable": false,
      "readAs": "callerResponseTimeoutHangupCounter",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Maximum number of such asks before the call is hung up.",
      "default": 3,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "noContactInjection",
      "isSection": false,
      "shape": "value",
      "types": [
        "boolean"
      ],
      "required": false,
      "readable": false,
      "readAs": "noContactInjection",
      "sendOnChange": false,
      "sensitive": false,
      "description": "When true, the caller's contact card is not injected into the agent's context.",
      "default": false
    },
    {
      "section": "settings",
      "name": "noConvoHistory",
      "isSection": false,
      "shape": "value",
      "types": [
        "boolean"
      ],
      "required": false,
      "readable": false,
      "readAs": "noConvoHistory",
      "sendOnChange": false,
      "sensitive": false,
      "description": "When true, the history of the caller's call summaries is not injected.",
      "default": false
    },
    {
      "section": "settings",
      "name": "autoRecordingNotification",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "autoRecordingNotification",
      "sendOnChange": false,
      "sensitive": false,
      "description": "`true`: notify callers from area codes where notice is legally required; `false`: never notify; `always`: notify every caller. The service wants a string; a YAML boolean is accepted and sent as one.",
      "default": "true"
    },
    {
      "section": "settings",
      "name": "recordingNotificationPhrase",
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "recordingNotificationPhrase",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Phrase spoken to announce recording.",
      "default": "This call is being recorded."
    },
    {
      "section": "settings",
      "name": "preAnswerRingTime",
      "isSection": false,
      "shape": "value",
      "types": [
        "integer",
        "null"
      ],
      "required": false,
      "readable": false,
      "readAs": "preAnswerRingTime",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Ringing that the caller experiences before the agent answers, in seconds, 1 to 60; null for none.",
      "default": null,
      "minimum": 1,
      "maximum": 60
    },
    {
      "section": "settings",
      "name": "preAnswerSkipProcessingResults",
      "isSection": false,
      "shape": "value",
      "types": [
        "boolean"
      ],
      "required": false,
      "readable": false,
      "readAs": "preAnswerSkipProcessingResults",
      "sendOnChange": false,
      "sensitive": false,
      "description": "When true, pre-answer functions return raw results straight to the agent's context without another model step.",
      "default": false
    },
    {
      "section": "skills",
      "name": "skills",
      "isSection": true,
      "shape": "map",
      "types": [
        "array"
      ],
      "required": false,
      "readable": true,
      "readAs": "skills",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Declarative skill configuration for agent-runtime deployments.",
      "default": [],
      "mapKey": "slug",
      "members": [
        {
          "name": "instructions",
          "types": [
            "string"
          ],
          "description": "Instructions written into the managed tools section on publish."
        }
      ]
    },
    {
      "section": "apps",
      "name": "apps",
      "isSection": true,
      "shape": "map",
      "types": [
        "array"
      ],
      "required": false,
      "readable": true,
      "readAs": "apps",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Apps enabled for the agent.",
      "default": [],
      "mapKey": "appId",
      "members": [
        {
          "name": "version",
          "types": [
            "string"
          ],
          "description": "Version of the app's integration."
        },
        {
          "name": "instructions",
          "types": [
            "string"
          ],
          "description": "How the agent should use the app."
        }
      ]
    },
    {
      "section": "backgroundAudio",
      "name": "backgroundAudio",
      "isSection": true,
      "shape": "object",
      "types": [
        "string",
        "object"
      ],
      "required": false,
      "readable": false,
      "readAs": "backgroundAudio",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Background audio on calls: an HTTP(S) URL, or an object. Members left out have their defaults; it is sent whole.",
      "shorthand": "url",
      "members": [
        {
          "name": "url",
          "types": [
            "string"
          ],
          "description": "HTTP(S) URL of the audio."
        },
        {
          "name": "loop",
          "types": [
            "boolean"
          ],
          "description": "Play it again when it ends.",
          "default": true
        },
        {
          "name": "gain",
          "types": [
            "integer"
          ],
          "description": "Gain; negative is quieter.",
          "default": 0
        },
        {
          "name": "startAfterGreeting",
          "types": [
            "boolean"
          ],
          "description": "Start once the greeting has been spoken.",
          "default": true
        },
        {
          "name": "track",
          "types": [
            "string"
          ],
          "description": "`bg` ambient or `fx` foreground."
        }
      ]
    },
    {
      "section": "transferRules",
      "name": "cnamAutoRejectRegex",
      "isSection": false,
      "shape": "value",
      "types": [
        "string",
        "null"
      ],
      "required": false,
      "readable": false,
      "readAs": "cnamAutoRejectRegex",
      "sendOnChange": false,
      "sensitive": false,
      "description": "JavaScript regex. On inbound voice calls, a match of the SIP caller name rejects the call before answer. Reject wins over transfer when both match.",
      "default": null
    },
    {
      "section": "transferRules",
      "name": "cnamAutoRejectCode",
      "isSection": false,
      "shape": "value",
      "types": [
        "integer"
      ],
      "required": false,
      "readable": false,
      "readAs": "cnamAutoRejectCode",
      "sendOnChange": false,
      "sensitive": false,
      "description": "SIP reject code used on a reject match.",
      "default": 603,
      "minimum": 400,
      "maximum": 699
    },
    {
      "section": "transferRules",
      "name": "cnamAutoTransferRegex",
      "isSection": false,
      "shape": "value",
      "types": [
        "string",
        "null"
      ],
      "required": false,
      "readable": false,
      "readAs": "cnamAutoTransferRegex",
      "sendOnChange": false,
      "sensitive": false,
      "description": "JavaScript regex. On inbound voice calls, a match, when reject did not match, transfers the call silently.",
      "default": null
    },
    {
      "section": "transferRules",
      "name": "cnamAutoTransferDestination",
      "isSection": false,
      "shape": "value",
      "types": [
        "string",
        "null"
      ],
      "required": false,
      "readable": false,
      "readAs": "cnamAutoTransferDestination",
      "sendOnChange": false,
      "sensitive": false,
      "description": "E.164 phone number, or `ext:<number>`, or `pbx:<number>`.",
      "default": null
    },
    {
      "section": "transferRules",
      "name": "confirmTransfers",
      "isSection": false,
      "shape": "value",
      "types": [
        "boolean"
      ],
      "required": false,
      "readable": false,
      "readAs": "confirmTransfers",
      "sendOnChange": false,
      "sensitive": false,
      "description": "The callee must press 1 before the transfer completes.",
      "default": false
    },
    {
      "section": "transferRules",
      "name": "monitorTransfers",
      "isSection": false,
      "shape": "value",
      "types": [
        "boolean"
      ],
      "required": false,
      "readable": false,
      "readAs": "monitorTransfers",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Keep monitoring and transcribing transferred calls.",
      "default": false
    },
    {
      "section": "transferRules",
      "name": "attendedTransfers",
      "isSection": false,
      "shape": "value",
      "types": [
        "boolean"
      ],
      "required": false,
      "readable": false,
      "readAs": "attendedTransfers",
      "sendOnChange": false,
      "sensitive": false,
      "description": "The agent stays on the line during transfer attempts and the answerer must say Yes. Overrides confirmTransfers.",
      "default": false
    },
    {
      "section": "transferRules",
      "name": "attendedTransferBridgeTrigger",
      "isSection": false,
      "shape": "value",
      "types": [
        "string",
        "null"
      ],
      "required": false,
      "readable": false,
      "readAs": "attendedTransferBridgeTrigger",
      "sendOnChange": false,
      "sensitive": false,
      "description": "What the transferee must say for bridging: null (means Yes), `any`, or a JavaScript regex.",
      "default": null
    },
    {
      "section": "transferRules",
      "name": "transferConfirmTimeout",
      "isSection": false,
      "shape": "value",
      "types": [
        "integer"
      ],
      "required": false,
      "readable": false,
      "readAs": "transferConfirmTimeout",
      "sendOnChange": false,
      "sensitive": false,
      "description": "Wait for confirmation after a transfer with confirmTransfers or attendedTransfers is answered, in seconds.",
      "default": 30,
      "minimum": 0
    }
  ]
};
