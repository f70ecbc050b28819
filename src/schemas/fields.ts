// Generated from schemas/ by `npm run generate`. Do not edit.

/** One field of a kind, as schemas/manifest.schema.json declares it. */
export interface FieldSchema {
  /** The section of the manifest. */
  readonly section: string;
  /** The name in the section and in the request. A field that is a whole section has the name of the section. */
  readonly name: string;
  /** The path in a manifest: the section, followed by the name unless the field is a whole section. */
  readonly path: readonly string[];
  /** Whether the field is a whole section. */
  readonly isSection: boolean;
  /** How values are compared: as one value, as a set, as a list keyed by `mapKey`, or member by member. */
  readonly shape: 'value' | 'set' | 'map' | 'object';
  /** The allowed JSON types. */
  readonly types: readonly string[];
  readonly required: boolean;
  /** Whether the read response contains the field. */
  readonly readable: boolean;
  /** The name in the read response. */
  readonly readAs: string;
  /** Whether the field is sent only if it changed. */
  readonly sendOnChange: boolean;
  readonly sensitive: boolean;
  /** Whether the field has an effect only when the resource is created. */
  readonly createOnly: boolean;
  /** Whether the field is the main text of the resource. A file with this text is named after the resource. */
  readonly mainText?: true;
  /** The required form of the text, or of each text in the list. */
  readonly textForm?: TextForm;
  /** The role of a text that instructs the agent, or that the agent speaks word for word. */
  readonly text?: TextRole;
  /**
   * Whether the field is a text in plain language without a role. Quote forms and white space do not change its
   * meaning.
   */
  readonly prose?: true;
  /** The texts that the schema allows, if it lists them. */
  readonly choices?: readonly string[];
  /** The title for people who do not know the field's name. For a list element, the title does not contain the key. */
  readonly title: string;
  /** The unit of a number in the singular, such as `second`. For a text such as `30m`, the unit is `duration`. */
  readonly unit?: string;
  /**
   * The meanings of values that need an explanation. In the keys, `<0` and `>0` represent numbers, and `*`
   * represents every other value. In the words, `%` represents the value.
   */
  readonly values?: Readonly<Record<string, string>>;
  readonly description: string;
  /** The documented default. Undefined if there is none. */
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  /** For the shape `map`: the member that identifies an element. */
  readonly mapKey?: string;
  /** For the shape `object`: the member that a plain string sets. */
  readonly shorthand?: string;
  /** The members of an element (without the key) for the shape `map`, or of the object for the shape `object`. */
  readonly members?: readonly MemberSchema[];
}

export interface MemberSchema {
  readonly name: string;
  readonly types: readonly string[];
  readonly required: boolean;
  readonly sensitive: boolean;
  readonly textForm?: TextForm;
  readonly text?: TextRole;
  readonly prose?: true;
  readonly choices?: readonly string[];
  readonly title: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly description: string;
  readonly default?: unknown;
}

/** The role of a text, from `x-text` in the schema. */
export type TextRole = 'instructs' | 'spoken';

/** The forms of texts, from `x-text-form` in the schema. src/yaml/values.ts has a check for each form. */
export type TextForm = 'any-or-regex' | 'destination' | 'email' | 'http-url' | 'not-blank' | 'person' | 'phone-number' | 'regex' | 'slug' | 'time-zone';

export type KindName = 'Agent' | 'Organization' | 'Member' | 'AgentUrl' | 'PhoneNumber' | 'Context';

export const fieldsByKind: Readonly<Record<KindName, readonly FieldSchema[]>> = {
  "Agent": [
    {
      "section": "settings",
      "name": "type",
      "path": [
        "settings",
        "type"
      ],
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
      "createOnly": false,
      "title": "Agent type",
      "description": "Optional, because there is only one type.",
      "default": "chatAgent"
    },
    {
      "section": "settings",
      "name": "title",
      "path": [
        "settings",
        "title"
      ],
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
      "createOnly": false,
      "prose": true,
      "title": "Title",
      "description": "The title of the agent."
    },
    {
      "section": "settings",
      "name": "description",
      "path": [
        "settings",
        "description"
      ],
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
      "createOnly": false,
      "title": "Description",
      "description": "Description of the agent."
    },
    {
      "section": "settings",
      "name": "welcomeMessage",
      "path": [
        "settings",
        "welcomeMessage"
      ],
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
      "createOnly": false,
      "text": "spoken",
      "title": "Greeting",
      "description": "Greeting shown or spoken when a user first reaches the agent."
    },
    {
      "section": "settings",
      "name": "links",
      "path": [
        "settings",
        "links"
      ],
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
      "createOnly": false,
      "textForm": "http-url",
      "title": "Web pages it knows",
      "description": "HTTP links to web pages that the agent uses as external knowledge."
    },
    {
      "section": "settings",
      "name": "actions",
      "path": [
        "settings",
        "actions"
      ],
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
      "createOnly": false,
      "title": "Actions it can take",
      "description": "Names of actions that the agent can take."
    },
    {
      "section": "settings",
      "name": "timezone",
      "path": [
        "settings",
        "timezone"
      ],
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
      "createOnly": false,
      "textForm": "time-zone",
      "title": "Time zone",
      "description": "IANA time zone that the agent operates in."
    },
    {
      "section": "settings",
      "name": "agentVoice",
      "path": [
        "settings",
        "agentVoice"
      ],
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
      "createOnly": false,
      "title": "Voice",
      "description": "Voice model."
    },
    {
      "section": "settings",
      "name": "agentLang",
      "path": [
        "settings",
        "agentLang"
      ],
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
      "createOnly": false,
      "choices": [
        "en-US",
        "multi",
        "es-MX",
        "es-ES",
        "es-US"
      ],
      "title": "Language",
      "values": {
        "en-US": "English (United States)",
        "multi": "several languages",
        "es-MX": "Spanish (Mexico)",
        "es-ES": "Spanish (Spain)",
        "es-US": "Spanish (United States)"
      },
      "description": "Language for voice and transcription.",
      "default": "en-US"
    },
    {
      "section": "settings",
      "name": "agentInstructions",
      "path": [
        "settings",
        "agentInstructions"
      ],
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
      "createOnly": false,
      "mainText": true,
      "text": "instructs",
      "title": "Instructions",
      "description": "Instructions for user interaction."
    },
    {
      "section": "settings",
      "name": "publicInstructions",
      "path": [
        "settings",
        "publicInstructions"
      ],
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
      "createOnly": false,
      "text": "instructs",
      "title": "Public instructions",
      "description": "Extra instructions used only in public-facing conversations."
    },
    {
      "section": "settings",
      "name": "adminInstructions",
      "path": [
        "settings",
        "adminInstructions"
      ],
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
      "createOnly": false,
      "text": "instructs",
      "title": "Instructions for administrators",
      "description": "Instructions that a publish writes into the managed admin section of the agent's instruction file."
    },
    {
      "section": "settings",
      "name": "heartbeatInstructions",
      "path": [
        "settings",
        "heartbeatInstructions"
      ],
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
      "createOnly": false,
      "text": "instructs",
      "title": "Instructions for regular checks",
      "description": "Instructions that a publish writes into the managed heartbeat section."
    },
    {
      "section": "settings",
      "name": "heartbeatEvery",
      "path": [
        "settings",
        "heartbeatEvery"
      ],
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
      "createOnly": false,
      "title": "Regular checks",
      "unit": "duration",
      "values": {
        "*": "every %"
      },
      "description": "The time between two heartbeats of the agent, such as `30m`. The service stores this setting with the draft. agentform sends the setting only if it changed."
    },
    {
      "section": "settings",
      "name": "agentModel",
      "path": [
        "settings",
        "agentModel"
      ],
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
      "createOnly": false,
      "title": "Language model",
      "description": "Language model used for the agent's intelligence."
    },
    {
      "section": "settings",
      "name": "agentThinking",
      "path": [
        "settings",
        "agentThinking"
      ],
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
      "createOnly": false,
      "choices": [
        "low"
      ],
      "title": "Thinking before an answer",
      "values": {
        "low": "a little",
        "null": "not at all"
      },
      "description": "Reasoning budget for models that support thinking. Null disables thinking."
    },
    {
      "section": "settings",
      "name": "agentThinkingModel",
      "path": [
        "settings",
        "agentThinkingModel"
      ],
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
      "createOnly": false,
      "title": "Language model for thinking pauses",
      "description": "Model for the pauseAndThink function. The service has a default."
    },
    {
      "section": "settings",
      "name": "postConvoForceThinking",
      "path": [
        "settings",
        "postConvoForceThinking"
      ],
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
      "createOnly": false,
      "title": "Thinking model for summaries of conversations",
      "description": "Whether to use agentThinkingModel for the summary, reporting and spam detection after a conversation, if agentThinking is off and the chosen model cannot think."
    },
    {
      "section": "settings",
      "name": "agentS2SEngine",
      "path": [
        "settings",
        "agentS2SEngine"
      ],
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
      "createOnly": false,
      "choices": [
        "s2s_a",
        "s2s_b"
      ],
      "title": "Speech-to-speech engine",
      "values": {
        "null": "not used"
      },
      "description": "Requires a specific paid plan.",
      "default": null
    },
    {
      "section": "settings",
      "name": "agentSttEngine",
      "path": [
        "settings",
        "agentSttEngine"
      ],
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
      "createOnly": false,
      "choices": [
        "stt_a",
        "stt_b",
        "stt_b_flux",
        "stt_c"
      ],
      "title": "Speech recognition",
      "description": "Speech-to-text engine.",
      "default": "stt_b"
    },
    {
      "section": "settings",
      "name": "agentSttSmartFormatting",
      "path": [
        "settings",
        "agentSttSmartFormatting"
      ],
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
      "createOnly": false,
      "title": "Smart formatting of transcripts",
      "description": "Punctuation and numerals always stay enabled.",
      "default": true
    },
    {
      "section": "settings",
      "name": "postAnswerDtmf",
      "path": [
        "settings",
        "postAnswerDtmf"
      ],
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
      "createOnly": false,
      "title": "Tones sent when the agent answers",
      "description": "DTMF digits that the agent sends when it answers a call, for forwarding platforms that check for them."
    },
    {
      "section": "settings",
      "name": "waitOnAnswer",
      "path": [
        "settings",
        "waitOnAnswer"
      ],
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
      "createOnly": false,
      "title": "Wait before the greeting",
      "unit": "millisecond",
      "description": "Milliseconds to wait before speaking the welcomeMessage.",
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "interruptionWordCount",
      "path": [
        "settings",
        "interruptionWordCount"
      ],
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
      "createOnly": false,
      "title": "Words that interrupt the agent",
      "unit": "word",
      "description": "Number of words that a caller must speak to interrupt the agent.",
      "default": 3,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "interruptionMinimumSpeakingTime",
      "path": [
        "settings",
        "interruptionMinimumSpeakingTime"
      ],
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
      "createOnly": false,
      "title": "Speaking time before a caller can interrupt",
      "unit": "second",
      "description": "Seconds that the agent must have spoken before a caller can interrupt it.",
      "default": 3,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "speakingTimeout",
      "path": [
        "settings",
        "speakingTimeout"
      ],
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
      "createOnly": false,
      "title": "Pause that ends what a caller says",
      "unit": "millisecond",
      "description": "Pause, in milliseconds, after which the caller is considered to have finished speaking.",
      "default": 1200,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "speechProcessingDelay",
      "path": [
        "settings",
        "speechProcessingDelay"
      ],
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
      "createOnly": false,
      "title": "Delay before reacting to speech",
      "unit": "millisecond",
      "description": "Milliseconds before processed speech is sent to the model. The delay rises and falls with the number of recent interruptions.",
      "default": 500,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "speechProcessingDelayInterruptionStep",
      "path": [
        "settings",
        "speechProcessingDelayInterruptionStep"
      ],
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
      "createOnly": false,
      "title": "Extra delay for each interruption",
      "unit": "millisecond",
      "description": "Delay added per interruption, in milliseconds.",
      "default": 500,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "speechProcessingDelayMaxMultiplier",
      "path": [
        "settings",
        "speechProcessingDelayMaxMultiplier"
      ],
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
      "createOnly": false,
      "title": "Interruptions that add to the delay",
      "unit": "interruption",
      "values": {
        "*": "at most %"
      },
      "description": "Maximum number of interruptions that influence the delay.",
      "default": 4,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "callerResponseTimeout",
      "path": [
        "settings",
        "callerResponseTimeout"
      ],
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
      "createOnly": false,
      "title": "Silence before asking again",
      "unit": "second",
      "description": "Seconds of caller silence before the agent asks whether the caller is still there.",
      "default": 13,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "callerResponseTimeoutHangupCounter",
      "path": [
        "settings",
        "callerResponseTimeoutHangupCounter"
      ],
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
      "createOnly": false,
      "title": "Asking again before hanging up",
      "unit": "time",
      "description": "Maximum number of times that the agent asks before it hangs up.",
      "default": 3,
      "minimum": 0
    },
    {
      "section": "settings",
      "name": "noContactInjection",
      "path": [
        "settings",
        "noContactInjection"
      ],
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
      "createOnly": false,
      "title": "Hide contact details of the caller",
      "description": "When true, the caller's contact card is not injected into the agent's context.",
      "default": false
    },
    {
      "section": "settings",
      "name": "noConvoHistory",
      "path": [
        "settings",
        "noConvoHistory"
      ],
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
      "createOnly": false,
      "title": "Hide earlier calls of the caller",
      "description": "When true, the history of the caller's call summaries is not injected into the agent's context.",
      "default": false
    },
    {
      "section": "settings",
      "name": "autoRecordingNotification",
      "path": [
        "settings",
        "autoRecordingNotification"
      ],
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
      "createOnly": false,
      "choices": [
        "true",
        "false",
        "always"
      ],
      "title": "Tell callers about the recording",
      "values": {
        "true": "where the law requires it",
        "false": "never",
        "always": "always"
      },
      "description": "`true`: notify callers from area codes where notice is legally required. `false`: never notify. `always`: notify every caller. The service expects a string, so agentform sends a YAML boolean as a string.",
      "default": "true"
    },
    {
      "section": "settings",
      "name": "recordingNotificationPhrase",
      "path": [
        "settings",
        "recordingNotificationPhrase"
      ],
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
      "createOnly": false,
      "text": "spoken",
      "title": "Words that announce the recording",
      "description": "Phrase spoken to announce recording.",
      "default": "This call is being recorded."
    },
    {
      "section": "settings",
      "name": "preAnswerRingTime",
      "path": [
        "settings",
        "preAnswerRingTime"
      ],
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
      "createOnly": false,
      "title": "Ringing before answering",
      "unit": "second",
      "values": {
        "null": "none"
      },
      "description": "Seconds that the phone rings before the agent answers, 1 to 60. Null for none.",
      "default": null,
      "minimum": 1,
      "maximum": 60
    },
    {
      "section": "settings",
      "name": "preAnswerSkipProcessingResults",
      "path": [
        "settings",
        "preAnswerSkipProcessingResults"
      ],
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
      "createOnly": false,
      "title": "Skip the extra model step before answering",
      "description": "When true, pre-answer functions return raw results straight to the agent's context without another model step.",
      "default": false
    },
    {
      "section": "skills",
      "name": "skills",
      "path": [
        "skills"
      ],
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
      "createOnly": false,
      "title": "Skill",
      "description": "The skills of the agent, for deployments on the agent runtime.",
      "default": [],
      "mapKey": "slug",
      "members": [
        {
          "name": "instructions",
          "types": [
            "string"
          ],
          "required": true,
          "sensitive": false,
          "text": "instructs",
          "title": "instructions",
          "description": "Instructions that a publish writes into the managed tools section."
        }
      ]
    },
    {
      "section": "apps",
      "name": "apps",
      "path": [
        "apps"
      ],
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
      "createOnly": false,
      "title": "App",
      "description": "Apps enabled for the agent.",
      "default": [],
      "mapKey": "appId",
      "members": [
        {
          "name": "version",
          "types": [
            "string"
          ],
          "required": true,
          "sensitive": false,
          "title": "version",
          "description": "Version of the app's integration."
        },
        {
          "name": "instructions",
          "types": [
            "string"
          ],
          "required": true,
          "sensitive": false,
          "text": "instructs",
          "title": "instructions",
          "description": "How the agent should use the app."
        }
      ]
    },
    {
      "section": "backgroundAudio",
      "name": "backgroundAudio",
      "path": [
        "backgroundAudio"
      ],
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
      "createOnly": false,
      "title": "Background audio",
      "description": "Background audio on calls: an HTTP(S) URL, or an object. agentform sends the whole object, so the service resets omitted properties to their defaults.",
      "shorthand": "url",
      "members": [
        {
          "name": "url",
          "types": [
            "string"
          ],
          "required": true,
          "sensitive": false,
          "textForm": "http-url",
          "title": "address",
          "description": "HTTP(S) URL of the audio."
        },
        {
          "name": "loop",
          "types": [
            "boolean"
          ],
          "required": false,
          "sensitive": false,
          "title": "play again at the end",
          "description": "Whether to play the audio again when it ends.",
          "default": true
        },
        {
          "name": "gain",
          "types": [
            "integer"
          ],
          "required": false,
          "sensitive": false,
          "title": "volume",
          "values": {
            "0": "as loud as the recording",
            "<0": "quieter than the recording (%)",
            ">0": "louder than the recording (%)"
          },
          "description": "Change in volume. A negative value makes the audio quieter.",
          "default": 0
        },
        {
          "name": "startAfterGreeting",
          "types": [
            "boolean"
          ],
          "required": false,
          "sensitive": false,
          "title": "start after the greeting",
          "description": "Whether to start only after the greeting.",
          "default": true
        },
        {
          "name": "track",
          "types": [
            "string"
          ],
          "required": false,
          "sensitive": false,
          "choices": [
            "bg",
            "fx"
          ],
          "title": "kind of sound",
          "values": {
            "bg": "in the background",
            "fx": "in the foreground"
          },
          "description": "`bg`: ambient sound. `fx`: foreground sound."
        }
      ]
    },
    {
      "section": "transferRules",
      "name": "cnamAutoRejectRegex",
      "path": [
        "transferRules",
        "cnamAutoRejectRegex"
      ],
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
      "createOnly": false,
      "textForm": "regex",
      "title": "Rejected caller names",
      "values": {
        "null": "none",
        "*": "names %"
      },
      "description": "JavaScript regex. If it matches the SIP caller name of an inbound voice call, the call is rejected before the agent answers, even if cnamAutoTransferRegex also matches.",
      "default": null
    },
    {
      "section": "transferRules",
      "name": "cnamAutoRejectCode",
      "path": [
        "transferRules",
        "cnamAutoRejectCode"
      ],
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
      "createOnly": false,
      "title": "Code sent to rejected callers",
      "values": {
        "486": "busy (486)",
        "603": "declined (603)",
        "*": "%"
      },
      "description": "The SIP code for calls that cnamAutoRejectRegex rejects.",
      "default": 603,
      "minimum": 400,
      "maximum": 699
    },
    {
      "section": "transferRules",
      "name": "cnamAutoTransferRegex",
      "path": [
        "transferRules",
        "cnamAutoTransferRegex"
      ],
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
      "createOnly": false,
      "textForm": "regex",
      "title": "Caller names put through",
      "values": {
        "null": "none",
        "*": "names %"
      },
      "description": "JavaScript regex. If it matches the caller name of an inbound voice call and cnamAutoRejectRegex does not, the call is transferred silently.",
      "default": null
    },
    {
      "section": "transferRules",
      "name": "cnamAutoTransferDestination",
      "path": [
        "transferRules",
        "cnamAutoTransferDestination"
      ],
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
      "createOnly": false,
      "textForm": "destination",
      "title": "Where these callers are put through to",
      "values": {
        "null": "nowhere"
      },
      "description": "E.164 phone number, or `ext:<number>`, or `pbx:<number>`.",
      "default": null
    },
    {
      "section": "transferRules",
      "name": "confirmTransfers",
      "path": [
        "transferRules",
        "confirmTransfers"
      ],
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
      "createOnly": false,
      "title": "Pressing 1 accepts a transfer",
      "description": "The callee must press 1 before the transfer completes.",
      "default": false
    },
    {
      "section": "transferRules",
      "name": "monitorTransfers",
      "path": [
        "transferRules",
        "monitorTransfers"
      ],
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
      "createOnly": false,
      "title": "Listening to transferred calls",
      "description": "Whether to keep monitoring and transcribing transferred calls.",
      "default": false
    },
    {
      "section": "transferRules",
      "name": "attendedTransfers",
      "path": [
        "transferRules",
        "attendedTransfers"
      ],
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
      "createOnly": false,
      "title": "Agent stays on the line during a transfer",
      "description": "The agent stays on the line during transfer attempts, and the person who answers must say Yes. Overrides confirmTransfers.",
      "default": false
    },
    {
      "section": "transferRules",
      "name": "attendedTransferBridgeTrigger",
      "path": [
        "transferRules",
        "attendedTransferBridgeTrigger"
      ],
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
      "createOnly": false,
      "textForm": "any-or-regex",
      "title": "Words that accept a transfer",
      "values": {
        "null": "“Yes”",
        "any": "anything that is said",
        "*": "words %"
      },
      "description": "The answer that connects the caller: null (means Yes), `any`, or a JavaScript regex.",
      "default": null
    },
    {
      "section": "transferRules",
      "name": "transferConfirmTimeout",
      "path": [
        "transferRules",
        "transferConfirmTimeout"
      ],
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
      "createOnly": false,
      "title": "Wait for a transfer to be accepted",
      "unit": "second",
      "description": "Seconds to wait for confirmation after a transfer is answered. Applies to confirmTransfers and attendedTransfers.",
      "default": 30,
      "minimum": 0
    }
  ],
  "Organization": [
    {
      "section": "settings",
      "name": "orgName",
      "path": [
        "settings",
        "orgName"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": true,
      "readable": false,
      "readAs": "orgName",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "textForm": "not-blank",
      "title": "Name",
      "description": "Name of the organization."
    },
    {
      "section": "settings",
      "name": "email",
      "path": [
        "settings",
        "email"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "email",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "textForm": "email",
      "title": "Email of the administrator",
      "description": "Email address of the administrator of the new organization."
    },
    {
      "section": "settings",
      "name": "accountName",
      "path": [
        "settings",
        "accountName"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "accountName",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "title": "Name of the default agent",
      "description": "The service creates an agent with this name for the organization."
    },
    {
      "section": "settings",
      "name": "orgAccountType",
      "path": [
        "settings",
        "orgAccountType"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "orgAccountType",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "choices": [
        "internal",
        "customer"
      ],
      "title": "Who is billed",
      "values": {
        "internal": "the reseller",
        "customer": "the customer"
      },
      "description": "`internal`: billed through the reseller's usage. `customer`: the organization may have full subscriptions.",
      "default": "customer"
    },
    {
      "section": "settings",
      "name": "productPlanId",
      "path": [
        "settings",
        "productPlanId"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "productPlanId",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "title": "Plan",
      "description": "The plan of the organization. Defaults to the reseller's sell-plan."
    },
    {
      "section": "settings",
      "name": "offeredProductPlanId",
      "path": [
        "settings",
        "offeredProductPlanId"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "offeredProductPlanId",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "title": "Plan on offer",
      "description": "The plan that the organization is offered."
    },
    {
      "section": "settings",
      "name": "externalAccountId",
      "path": [
        "settings",
        "externalAccountId"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "externalAccountId",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "title": "Your id for this customer",
      "description": "The customer's id in your own system, such as a CRM."
    },
    {
      "section": "settings",
      "name": "externalBillingId",
      "path": [
        "settings",
        "externalBillingId"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "externalBillingId",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "title": "Your billing id",
      "description": "The customer's id in your billing system."
    },
    {
      "section": "settings",
      "name": "hipaaSetting",
      "path": [
        "settings",
        "hipaaSetting"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "hipaaSetting",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "choices": [
        "on",
        "off",
        "inherit"
      ],
      "title": "HIPAA",
      "values": {
        "inherit": "as for the reseller"
      },
      "description": "The HIPAA setting. `inherit` uses the reseller's setting."
    },
    {
      "section": "settings",
      "name": "numberingProviders",
      "path": [
        "settings",
        "numberingProviders"
      ],
      "isSection": false,
      "shape": "map",
      "types": [
        "array"
      ],
      "required": false,
      "readable": false,
      "readAs": "numberingProviders",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "title": "Numbering provider",
      "description": "Numbering providers with their credentials.",
      "mapKey": "providerId",
      "members": [
        {
          "name": "config",
          "types": [
            "object"
          ],
          "required": true,
          "sensitive": true,
          "title": "credentials",
          "description": "Credentials for the provider. Write strings as ${secret.NAME}."
        },
        {
          "name": "default",
          "types": [
            "boolean"
          ],
          "required": false,
          "sensitive": false,
          "title": "use by default",
          "description": "Whether to use this provider by default."
        }
      ]
    },
    {
      "section": "settings",
      "name": "servicePremium",
      "path": [
        "settings",
        "servicePremium"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "boolean"
      ],
      "required": false,
      "readable": false,
      "readAs": "servicePremium",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "title": "Paying account",
      "description": "Whether the account is a paying account."
    },
    {
      "section": "settings",
      "name": "smsEnabled",
      "path": [
        "settings",
        "smsEnabled"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "boolean"
      ],
      "required": false,
      "readable": false,
      "readAs": "smsEnabled",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "title": "SMS",
      "description": "Whether SMS is enabled on the agent."
    },
    {
      "section": "settings",
      "name": "smsBrandId",
      "path": [
        "settings",
        "smsBrandId"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "smsBrandId",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "title": "SMS brand",
      "description": "The id of a registered SMS brand."
    },
    {
      "section": "settings",
      "name": "smsCampaignId",
      "path": [
        "settings",
        "smsCampaignId"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "smsCampaignId",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "title": "SMS campaign",
      "description": "The id of an approved SMS campaign."
    },
    {
      "section": "settings",
      "name": "integrations",
      "path": [
        "settings",
        "integrations"
      ],
      "isSection": false,
      "shape": "map",
      "types": [
        "array"
      ],
      "required": false,
      "readable": false,
      "readAs": "integrations",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "title": "Integration",
      "description": "Integrations with their credentials and settings.",
      "mapKey": "appId",
      "members": [
        {
          "name": "appVersion",
          "types": [
            "string"
          ],
          "required": true,
          "sensitive": false,
          "title": "version",
          "description": "Version of the integration."
        },
        {
          "name": "appData",
          "types": [
            "object"
          ],
          "required": true,
          "sensitive": true,
          "title": "credentials and settings",
          "description": "Credentials and settings of the app. Write strings as ${secret.NAME}."
        }
      ]
    }
  ],
  "Member": [
    {
      "section": "settings",
      "name": "email",
      "path": [
        "settings",
        "email"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": true,
      "readable": false,
      "readAs": "email",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "textForm": "email",
      "title": "Email",
      "description": "Email address of the member."
    },
    {
      "section": "settings",
      "name": "redirectUrl",
      "path": [
        "settings",
        "redirectUrl"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "redirectUrl",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": true,
      "textForm": "http-url",
      "title": "Page after accepting the invitation",
      "description": "Page that the invited person sees after accepting. Used only for the invitation."
    },
    {
      "section": "settings",
      "name": "role",
      "path": [
        "settings",
        "role"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "role",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "textForm": "not-blank",
      "title": "Role",
      "description": "The role of the member. Defaults to `admin` for an invitation."
    },
    {
      "section": "settings",
      "name": "permittedAccountIds",
      "path": [
        "settings",
        "permittedAccountIds"
      ],
      "isSection": false,
      "shape": "set",
      "types": [
        "array"
      ],
      "required": false,
      "readable": false,
      "readAs": "permittedAccountIds",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "title": "Accounts that the member may access",
      "description": "Account ids. An empty list lifts all restrictions."
    },
    {
      "section": "settings",
      "name": "sendWelcomeEmail",
      "path": [
        "settings",
        "sendWelcomeEmail"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "boolean"
      ],
      "required": false,
      "readable": false,
      "readAs": "sendWelcomeEmail",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": true,
      "title": "Welcome email",
      "description": "Whether to send a welcome email. Used only for the invitation.",
      "default": true
    }
  ],
  "AgentUrl": [
    {
      "section": "settings",
      "name": "targetUsername",
      "path": [
        "settings",
        "targetUsername"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": true,
      "readable": false,
      "readAs": "targetUsername",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "textForm": "not-blank",
      "title": "User name of the agent",
      "description": "The agent that gets the URL."
    },
    {
      "section": "settings",
      "name": "slug",
      "path": [
        "settings",
        "slug"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": true,
      "readable": false,
      "readAs": "slug",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "textForm": "slug",
      "title": "End of the web address",
      "description": "Slug of the URL. Replaces an existing slug."
    }
  ],
  "PhoneNumber": [
    {
      "section": "settings",
      "name": "number",
      "path": [
        "settings",
        "number"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": true,
      "readable": false,
      "readAs": "number",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "textForm": "phone-number",
      "title": "Phone number",
      "description": "A number in E.164 format, such as +14155550100."
    }
  ],
  "Context": [
    {
      "section": "settings",
      "name": "context",
      "path": [
        "settings",
        "context"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": true,
      "readable": false,
      "readAs": "context",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "title": "What the agent knows about the person",
      "description": "Free text that the agent can use in conversations with the person."
    },
    {
      "section": "settings",
      "name": "target",
      "path": [
        "settings",
        "target"
      ],
      "isSection": false,
      "shape": "value",
      "types": [
        "string"
      ],
      "required": false,
      "readable": false,
      "readAs": "target",
      "sendOnChange": false,
      "sensitive": false,
      "createOnly": false,
      "textForm": "person",
      "title": "The person",
      "description": "The person's phone number or user name."
    }
  ]
};
