// Generated from schemas/ by `npm run generate`. Do not edit.

export const knownKeys: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "Project": {
    "": [
      "apiVersion",
      "kind",
      "manifests",
      "defaultEnvironment",
      "record",
      "limits",
      "lint",
      "service",
      "environments"
    ],
    "/record": [
      "store"
    ],
    "/limits": [
      "creates"
    ],
    "/service": [
      "publish",
      "parameters"
    ],
    "/environments/*": [
      "baseUrl",
      "token",
      "query",
      "variables",
      "unverified"
    ]
  },
  "Agent": {
    "": [
      "apiVersion",
      "kind",
      "name",
      "extends",
      "settings",
      "skills",
      "apps",
      "backgroundAudio",
      "transferRules",
      "extraSettings",
      "target",
      "environments"
    ],
    "/settings": [
      "type",
      "title",
      "description",
      "welcomeMessage",
      "links",
      "actions",
      "timezone",
      "agentVoice",
      "agentLang",
      "agentInstructions",
      "publicInstructions",
      "adminInstructions",
      "heartbeatInstructions",
      "heartbeatEvery",
      "agentModel",
      "agentThinking",
      "agentThinkingModel",
      "postConvoForceThinking",
      "agentS2SEngine",
      "agentSttEngine",
      "agentSttSmartFormatting",
      "postAnswerDtmf",
      "waitOnAnswer",
      "interruptionWordCount",
      "interruptionMinimumSpeakingTime",
      "speakingTimeout",
      "speechProcessingDelay",
      "speechProcessingDelayInterruptionStep",
      "speechProcessingDelayMaxMultiplier",
      "callerResponseTimeout",
      "callerResponseTimeoutHangupCounter",
      "noContactInjection",
      "noConvoHistory",
      "autoRecordingNotification",
      "recordingNotificationPhrase",
      "preAnswerRingTime",
      "preAnswerSkipProcessingResults"
    ],
    "/skills/*": [
      "slug",
      "instructions"
    ],
    "/apps/*": [
      "appId",
      "version",
      "instructions"
    ],
    "/backgroundAudio": [
      "url",
      "loop",
      "gain",
      "startAfterGreeting",
      "track"
    ],
    "/transferRules": [
      "cnamAutoRejectRegex",
      "cnamAutoRejectCode",
      "cnamAutoTransferRegex",
      "cnamAutoTransferDestination",
      "confirmTransfers",
      "monitorTransfers",
      "attendedTransfers",
      "attendedTransferBridgeTrigger",
      "transferConfirmTimeout"
    ],
    "/target": [
      "agentId",
      "campaignId",
      "token",
      "query"
    ],
    "/environments/*": [
      "settings",
      "skills",
      "apps",
      "backgroundAudio",
      "transferRules",
      "extraSettings",
      "target"
    ],
    "/environments/*/settings": [
      "type",
      "title",
      "description",
      "welcomeMessage",
      "links",
      "actions",
      "timezone",
      "agentVoice",
      "agentLang",
      "agentInstructions",
      "publicInstructions",
      "adminInstructions",
      "heartbeatInstructions",
      "heartbeatEvery",
      "agentModel",
      "agentThinking",
      "agentThinkingModel",
      "postConvoForceThinking",
      "agentS2SEngine",
      "agentSttEngine",
      "agentSttSmartFormatting",
      "postAnswerDtmf",
      "waitOnAnswer",
      "interruptionWordCount",
      "interruptionMinimumSpeakingTime",
      "speakingTimeout",
      "speechProcessingDelay",
      "speechProcessingDelayInterruptionStep",
      "speechProcessingDelayMaxMultiplier",
      "callerResponseTimeout",
      "callerResponseTimeoutHangupCounter",
      "noContactInjection",
      "noConvoHistory",
      "autoRecordingNotification",
      "recordingNotificationPhrase",
      "preAnswerRingTime",
      "preAnswerSkipProcessingResults"
    ],
    "/environments/*/skills/*": [
      "slug",
      "instructions"
    ],
    "/environments/*/apps/*": [
      "appId",
      "version",
      "instructions"
    ],
    "/environments/*/backgroundAudio": [
      "url",
      "loop",
      "gain",
      "startAfterGreeting",
      "track"
    ],
    "/environments/*/transferRules": [
      "cnamAutoRejectRegex",
      "cnamAutoRejectCode",
      "cnamAutoTransferRegex",
      "cnamAutoTransferDestination",
      "confirmTransfers",
      "monitorTransfers",
      "attendedTransfers",
      "attendedTransferBridgeTrigger",
      "transferConfirmTimeout"
    ],
    "/environments/*/target": [
      "agentId",
      "campaignId",
      "token",
      "query"
    ]
  }
};
