// Generated from schemas/ by `npm run generate`. Do not edit.
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    function ucs2length(str) {
      let len = str.length, length = 0, pos = 0, value;
      for (; pos < len; )
        length++, value = str.charCodeAt(pos++), value >= 55296 && value <= 56319 && pos < len && (value = str.charCodeAt(pos), (value & 64512) === 56320 && pos++);
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// <stdin>
var authored = validate52;
var schema20 = { title: "Agent", description: "A conversational agent: the settings of POST /api/v2/agent, in sections.", type: "object", required: ["apiVersion", "kind"], additionalProperties: !1, properties: { apiVersion: { $ref: "#/$defs/ApiVersion" }, kind: { const: "Agent" }, name: { $ref: "#/$defs/Name" }, extends: { $ref: "#/$defs/Extends" }, organization: { $ref: "#/$defs/OrganizationReference" }, settings: { $ref: "#/$defs/AgentSettings" }, skills: { $ref: "#/$defs/Skills" }, apps: { $ref: "#/$defs/Apps" }, backgroundAudio: { $ref: "#/$defs/BackgroundAudio" }, transferRules: { $ref: "#/$defs/TransferRules" }, extraSettings: { $ref: "#/$defs/ExtraSettings" }, target: { $ref: "#/$defs/Target" }, environments: { description: "Overlays: what differs in an environment of the project, deep-merged over the rest.", type: "object", additionalProperties: { $ref: "#/$defs/AgentOverlay" } } } }, func1 = Object.prototype.hasOwnProperty;
function validate54(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate54.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data !== "agentform/v1") {
    let err0 = { instancePath, schemaPath: "#/const", keyword: "const", params: { allowedValue: "agentform/v1" }, message: "must be equal to constant" };
    vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
  }
  return validate54.errors = vErrors, errors === 0;
}
validate54.evaluated = { dynamicProps: !1, dynamicItems: !1 };
var pattern3 = new RegExp("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", "u");
function validate56(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate56.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), typeof data == "string") {
    if (!pattern3.test(data)) {
      let err0 = { instancePath, schemaPath: "#/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, message: 'must match pattern "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"' };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
  } else {
    let err1 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "string" }, message: "must be string" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate56.errors = vErrors, errors === 0;
}
validate56.evaluated = { dynamicProps: !1, dynamicItems: !1 };
var func2 = require_ucs2length().default;
function validate58(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate58.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), typeof data == "string") {
    if (func2(data) < 1) {
      let err0 = { instancePath, schemaPath: "#/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
  } else {
    let err1 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "string" }, message: "must be string" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate58.errors = vErrors, errors === 0;
}
validate58.evaluated = { dynamicProps: !1, dynamicItems: !1 };
function validate60(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate60.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), typeof data == "string") {
    if (!pattern3.test(data)) {
      let err0 = { instancePath, schemaPath: "#/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, message: 'must match pattern "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"' };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
  } else {
    let err1 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "string" }, message: "must be string" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate60.errors = vErrors, errors === 0;
}
validate60.evaluated = { dynamicProps: !1, dynamicItems: !1 };
var schema25 = { description: "The agent's settings, named exactly as the service names them.", type: "object", "x-spread": !0, "x-required": ["title", "description"], additionalProperties: !1, properties: { type: { description: "Agent type. May be left out: it has one value.", anyOf: [{ const: "chatAgent" }, { $ref: "#/$defs/Interpolated" }], default: "chatAgent", "x-read-as": "campaignType" }, title: { description: "Agent title.", $ref: "#/$defs/Text" }, description: { description: "Description of the agent.", $ref: "#/$defs/Text", writeOnly: !0 }, welcomeMessage: { description: "Greeting shown or spoken when a user first reaches the agent.", $ref: "#/$defs/Text" }, links: { description: "HTTP links used as external knowledge.", type: "array", items: { $ref: "#/$defs/Text" }, "x-list-type": "set", examples: [["https://www.example.com/opening-hours"]] }, actions: { description: "Names of actions that the agent can take.", type: "array", items: { $ref: "#/$defs/Text" }, "x-list-type": "set", "x-read-as": "actions[].name" }, timezone: { description: "IANA time zone that the agent operates in.", $ref: "#/$defs/Text", examples: ["Europe/Berlin"] }, agentVoice: { description: "Voice model.", $ref: "#/$defs/Text" }, agentLang: { description: "Language for voice and transcription.", anyOf: [{ enum: ["en-US", "multi", "es-MX", "es-ES", "es-US"] }, { $ref: "#/$defs/Interpolated" }], default: "en-US" }, agentInstructions: { description: "Instructions for user interaction.", $ref: "#/$defs/Text", examples: [{ file: "../prompts/front-desk.md" }] }, publicInstructions: { description: "Extra instructions used only in public-facing conversations.", $ref: "#/$defs/Text" }, adminInstructions: { description: "Instructions written into the managed admin section of the agent's instruction file on publish.", $ref: "#/$defs/Text" }, heartbeatInstructions: { description: "Instructions written into the managed heartbeat section on publish.", $ref: "#/$defs/Text" }, heartbeatEvery: { description: "Heartbeat interval override, as interval text. It persists on the draft and is sent only when it changed.", $ref: "#/$defs/Text", "x-send": "on-change", examples: ["30m"] }, agentModel: { description: "Language model used for the agent's intelligence.", $ref: "#/$defs/Text" }, agentThinking: { description: "Reasoning budget for models that support thinking; null disables it.", anyOf: [{ enum: ["low", null] }, { $ref: "#/$defs/Interpolated" }] }, agentThinkingModel: { description: "Model for the pauseAndThink function; the service has a default.", $ref: "#/$defs/Text", writeOnly: !0 }, postConvoForceThinking: { description: "Forces the summary, reporting and spam detection after a conversation onto a thinking-capable model when agentThinking is off and the chosen model cannot think. Uses agentThinkingModel.", $ref: "#/$defs/Boolean", writeOnly: !0 }, agentS2SEngine: { description: "Speech-to-speech engine; requires a specific paid plan.", anyOf: [{ enum: ["s2s_a", "s2s_b", null] }, { $ref: "#/$defs/Interpolated" }], default: null, writeOnly: !0 }, agentSttEngine: { description: "Speech-to-text engine.", anyOf: [{ enum: ["stt_a", "stt_b", "stt_b_flux", "stt_c"] }, { $ref: "#/$defs/Interpolated" }], default: "stt_b", writeOnly: !0 }, agentSttSmartFormatting: { description: "Smart formatting of transcripts; punctuation and numerals stay enabled regardless.", $ref: "#/$defs/Boolean", default: !0, writeOnly: !0 }, postAnswerDtmf: { description: "DTMF digits sent when answering a call, for forwarding platforms that check for them.", $ref: "#/$defs/Text", writeOnly: !0, examples: ["1"] }, waitOnAnswer: { description: "Wait before speaking the welcomeMessage, in milliseconds.", $ref: "#/$defs/Integer", minimum: 0, writeOnly: !0 }, interruptionWordCount: { description: "Words that a caller must speak for it to count as an interruption.", $ref: "#/$defs/Integer", minimum: 0, default: 3, writeOnly: !0 }, interruptionMinimumSpeakingTime: { description: "How long the agent must have been speaking before it can be interrupted, in seconds.", $ref: "#/$defs/Integer", minimum: 0, default: 3, writeOnly: !0 }, speakingTimeout: { description: "Gap between words after which the caller is considered finished, in milliseconds.", $ref: "#/$defs/Integer", minimum: 0, default: 1200, writeOnly: !0 }, speechProcessingDelay: { description: "Delay before processed speech is sent to the model, in milliseconds; it rises and falls with the number of recent interruptions.", $ref: "#/$defs/Integer", minimum: 0, default: 500, writeOnly: !0 }, speechProcessingDelayInterruptionStep: { description: "Delay added per interruption, in milliseconds.", $ref: "#/$defs/Integer", minimum: 0, default: 500, writeOnly: !0 }, speechProcessingDelayMaxMultiplier: { description: "Maximum number of interruptions that influence the delay.", $ref: "#/$defs/Integer", minimum: 0, default: 4, writeOnly: !0 }, callerResponseTimeout: { description: "Caller silence before the agent asks whether the caller is still there, in seconds.", $ref: "#/$defs/Integer", minimum: 0, default: 13, writeOnly: !0 }, callerResponseTimeoutHangupCounter: { description: "Maximum number of such asks before the call is hung up.", $ref: "#/$defs/Integer", minimum: 0, default: 3, writeOnly: !0 }, noContactInjection: { description: "When true, the caller's contact card is not injected into the agent's context.", $ref: "#/$defs/Boolean", default: !1, writeOnly: !0 }, noConvoHistory: { description: "When true, the history of the caller's call summaries is not injected.", $ref: "#/$defs/Boolean", default: !1, writeOnly: !0 }, autoRecordingNotification: { description: "`true`: notify callers from area codes where notice is legally required; `false`: never notify; `always`: notify every caller. The service wants a string; a YAML boolean is accepted and sent as one.", anyOf: [{ enum: ["true", "false", "always"] }, { type: "boolean", "x-authoring": !0 }, { $ref: "#/$defs/Interpolated" }], default: "true", writeOnly: !0 }, recordingNotificationPhrase: { description: "Phrase spoken to announce recording.", $ref: "#/$defs/Text", default: "This call is being recorded.", writeOnly: !0 }, preAnswerRingTime: { description: "Ringing that the caller experiences before the agent answers, in seconds, 1 to 60; null for none.", $ref: "#/$defs/NullableInteger", minimum: 1, maximum: 60, default: null, writeOnly: !0 }, preAnswerSkipProcessingResults: { description: "When true, pre-answer functions return raw results straight to the agent's context without another model step.", $ref: "#/$defs/Boolean", default: !1, writeOnly: !0 } } };
var pattern5 = new RegExp("\\$\\{(var|secret)\\.", "u");
function validate63(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate63.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), typeof data == "string") {
    if (!pattern5.test(data)) {
      let err0 = { instancePath, schemaPath: "#/pattern", keyword: "pattern", params: { pattern: "\\$\\{(var|secret)\\." }, message: 'must match pattern "\\$\\{(var|secret)\\."' };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
  } else {
    let err1 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "string" }, message: "must be string" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate63.errors = vErrors, errors === 0;
}
validate63.evaluated = { dynamicProps: !1, dynamicItems: !1 };
function validate66(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate66.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.file === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "file" }, message: "must have required property 'file'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    for (let key0 in data)
      if (key0 !== "file") {
        let err1 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    if (data.file !== void 0) {
      let data0 = data.file;
      if (typeof data0 == "string") {
        if (func2(data0) < 1) {
          let err2 = { instancePath: instancePath + "/file", schemaPath: "#/properties/file/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
        }
      } else {
        let err3 = { instancePath: instancePath + "/file", schemaPath: "#/properties/file/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
  } else {
    let err4 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
  }
  return validate66.errors = vErrors, errors === 0;
}
validate66.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate65(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate65.evaluated;
  evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0);
  let _errs0 = errors, valid0 = !1, _errs1 = errors;
  if (typeof data != "string") {
    let err0 = { instancePath, schemaPath: "#/anyOf/0/type", keyword: "type", params: { type: "string" }, message: "must be string" };
    vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
  }
  var _valid0 = _errs1 === errors;
  valid0 = valid0 || _valid0;
  let _errs3 = errors;
  validate66(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors), errors = vErrors.length);
  var _valid0 = _errs3 === errors;
  if (valid0 = valid0 || _valid0, _valid0)
    var props0 = !0;
  if (valid0)
    errors = _errs0, vErrors !== null && (_errs0 ? vErrors.length = _errs0 : vErrors = null);
  else {
    let err1 = { instancePath, schemaPath: "#/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate65.errors = vErrors, evaluated0.props = props0, errors === 0;
}
validate65.evaluated = { dynamicProps: !0, dynamicItems: !1 };
function validate84(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate84.evaluated;
  evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0);
  let _errs0 = errors, valid0 = !1, _errs1 = errors;
  if (typeof data != "boolean") {
    let err0 = { instancePath, schemaPath: "#/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
    vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
  }
  var _valid0 = _errs1 === errors;
  valid0 = valid0 || _valid0;
  let _errs3 = errors;
  validate63(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors), errors = vErrors.length);
  var _valid0 = _errs3 === errors;
  if (valid0 = valid0 || _valid0, valid0)
    errors = _errs0, vErrors !== null && (_errs0 ? vErrors.length = _errs0 : vErrors = null);
  else {
    let err1 = { instancePath, schemaPath: "#/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate84.errors = vErrors, errors === 0;
}
validate84.evaluated = { dynamicProps: !1, dynamicItems: !1 };
function validate91(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate91.evaluated;
  evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0);
  let _errs0 = errors, valid0 = !1, _errs1 = errors;
  if (!(typeof data == "number" && !(data % 1) && !isNaN(data))) {
    let err0 = { instancePath, schemaPath: "#/anyOf/0/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
    vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
  }
  var _valid0 = _errs1 === errors;
  valid0 = valid0 || _valid0;
  let _errs3 = errors;
  validate63(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors), errors = vErrors.length);
  var _valid0 = _errs3 === errors;
  if (valid0 = valid0 || _valid0, valid0)
    errors = _errs0, vErrors !== null && (_errs0 ? vErrors.length = _errs0 : vErrors = null);
  else {
    let err1 = { instancePath, schemaPath: "#/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate91.errors = vErrors, errors === 0;
}
validate91.evaluated = { dynamicProps: !1, dynamicItems: !1 };
var schema31 = { anyOf: [{ type: ["integer", "null"] }, { $ref: "#/$defs/Interpolated" }] };
function validate106(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate106.evaluated;
  evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0);
  let _errs0 = errors, valid0 = !1, _errs1 = errors;
  if (!(typeof data == "number" && !(data % 1) && !isNaN(data)) && data !== null) {
    let err0 = { instancePath, schemaPath: "#/anyOf/0/type", keyword: "type", params: { type: schema31.anyOf[0].type }, message: "must be integer,null" };
    vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
  }
  var _valid0 = _errs1 === errors;
  valid0 = valid0 || _valid0;
  let _errs3 = errors;
  validate63(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors), errors = vErrors.length);
  var _valid0 = _errs3 === errors;
  if (valid0 = valid0 || _valid0, valid0)
    errors = _errs0, vErrors !== null && (_errs0 ? vErrors.length = _errs0 : vErrors = null);
  else {
    let err1 = { instancePath, schemaPath: "#/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate106.errors = vErrors, errors === 0;
}
validate106.evaluated = { dynamicProps: !1, dynamicItems: !1 };
function validate62(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate62.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 in data)
      if (!func1.call(schema25.properties, key0)) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.type !== void 0) {
      let data0 = data.type, _errs3 = errors, valid1 = !1, _errs4 = errors;
      if (data0 !== "chatAgent") {
        let err1 = { instancePath: instancePath + "/type", schemaPath: "#/properties/type/anyOf/0/const", keyword: "const", params: { allowedValue: "chatAgent" }, message: "must be equal to constant" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
      var _valid0 = _errs4 === errors;
      valid1 = valid1 || _valid0;
      let _errs5 = errors;
      validate63(data0, { instancePath: instancePath + "/type", parentData: data, parentDataProperty: "type", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors), errors = vErrors.length);
      var _valid0 = _errs5 === errors;
      if (valid1 = valid1 || _valid0, valid1)
        errors = _errs3, vErrors !== null && (_errs3 ? vErrors.length = _errs3 : vErrors = null);
      else {
        let err2 = { instancePath: instancePath + "/type", schemaPath: "#/properties/type/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.title !== void 0 && (validate65(data.title, { instancePath: instancePath + "/title", parentData: data, parentDataProperty: "title", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.description !== void 0 && (validate65(data.description, { instancePath: instancePath + "/description", parentData: data, parentDataProperty: "description", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.welcomeMessage !== void 0 && (validate65(data.welcomeMessage, { instancePath: instancePath + "/welcomeMessage", parentData: data, parentDataProperty: "welcomeMessage", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.links !== void 0) {
      let data4 = data.links;
      if (Array.isArray(data4)) {
        let len0 = data4.length;
        for (let i0 = 0; i0 < len0; i0++)
          validate65(data4[i0], { instancePath: instancePath + "/links/" + i0, parentData: data4, parentDataProperty: i0, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length);
      } else {
        let err3 = { instancePath: instancePath + "/links", schemaPath: "#/properties/links/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.actions !== void 0) {
      let data6 = data.actions;
      if (Array.isArray(data6)) {
        let len1 = data6.length;
        for (let i1 = 0; i1 < len1; i1++)
          validate65(data6[i1], { instancePath: instancePath + "/actions/" + i1, parentData: data6, parentDataProperty: i1, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length);
      } else {
        let err4 = { instancePath: instancePath + "/actions", schemaPath: "#/properties/actions/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.timezone !== void 0 && (validate65(data.timezone, { instancePath: instancePath + "/timezone", parentData: data, parentDataProperty: "timezone", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.agentVoice !== void 0 && (validate65(data.agentVoice, { instancePath: instancePath + "/agentVoice", parentData: data, parentDataProperty: "agentVoice", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.agentLang !== void 0) {
      let data10 = data.agentLang, _errs18 = errors, valid6 = !1, _errs19 = errors;
      if (!(data10 === "en-US" || data10 === "multi" || data10 === "es-MX" || data10 === "es-ES" || data10 === "es-US")) {
        let err5 = { instancePath: instancePath + "/agentLang", schemaPath: "#/properties/agentLang/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema25.properties.agentLang.anyOf[0].enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
      var _valid1 = _errs19 === errors;
      valid6 = valid6 || _valid1;
      let _errs20 = errors;
      validate63(data10, { instancePath: instancePath + "/agentLang", parentData: data, parentDataProperty: "agentLang", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors), errors = vErrors.length);
      var _valid1 = _errs20 === errors;
      if (valid6 = valid6 || _valid1, valid6)
        errors = _errs18, vErrors !== null && (_errs18 ? vErrors.length = _errs18 : vErrors = null);
      else {
        let err6 = { instancePath: instancePath + "/agentLang", schemaPath: "#/properties/agentLang/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
    if (data.agentInstructions !== void 0 && (validate65(data.agentInstructions, { instancePath: instancePath + "/agentInstructions", parentData: data, parentDataProperty: "agentInstructions", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.publicInstructions !== void 0 && (validate65(data.publicInstructions, { instancePath: instancePath + "/publicInstructions", parentData: data, parentDataProperty: "publicInstructions", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.adminInstructions !== void 0 && (validate65(data.adminInstructions, { instancePath: instancePath + "/adminInstructions", parentData: data, parentDataProperty: "adminInstructions", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.heartbeatInstructions !== void 0 && (validate65(data.heartbeatInstructions, { instancePath: instancePath + "/heartbeatInstructions", parentData: data, parentDataProperty: "heartbeatInstructions", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.heartbeatEvery !== void 0 && (validate65(data.heartbeatEvery, { instancePath: instancePath + "/heartbeatEvery", parentData: data, parentDataProperty: "heartbeatEvery", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.agentModel !== void 0 && (validate65(data.agentModel, { instancePath: instancePath + "/agentModel", parentData: data, parentDataProperty: "agentModel", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.agentThinking !== void 0) {
      let data17 = data.agentThinking, _errs28 = errors, valid7 = !1, _errs29 = errors;
      if (!(data17 === "low" || data17 === null)) {
        let err7 = { instancePath: instancePath + "/agentThinking", schemaPath: "#/properties/agentThinking/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema25.properties.agentThinking.anyOf[0].enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
      var _valid2 = _errs29 === errors;
      valid7 = valid7 || _valid2;
      let _errs30 = errors;
      validate63(data17, { instancePath: instancePath + "/agentThinking", parentData: data, parentDataProperty: "agentThinking", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors), errors = vErrors.length);
      var _valid2 = _errs30 === errors;
      if (valid7 = valid7 || _valid2, valid7)
        errors = _errs28, vErrors !== null && (_errs28 ? vErrors.length = _errs28 : vErrors = null);
      else {
        let err8 = { instancePath: instancePath + "/agentThinking", schemaPath: "#/properties/agentThinking/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
    }
    if (data.agentThinkingModel !== void 0 && (validate65(data.agentThinkingModel, { instancePath: instancePath + "/agentThinkingModel", parentData: data, parentDataProperty: "agentThinkingModel", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.postConvoForceThinking !== void 0 && (validate84(data.postConvoForceThinking, { instancePath: instancePath + "/postConvoForceThinking", parentData: data, parentDataProperty: "postConvoForceThinking", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors), errors = vErrors.length)), data.agentS2SEngine !== void 0) {
      let data20 = data.agentS2SEngine, _errs34 = errors, valid8 = !1, _errs35 = errors;
      if (!(data20 === "s2s_a" || data20 === "s2s_b" || data20 === null)) {
        let err9 = { instancePath: instancePath + "/agentS2SEngine", schemaPath: "#/properties/agentS2SEngine/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema25.properties.agentS2SEngine.anyOf[0].enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
      }
      var _valid3 = _errs35 === errors;
      valid8 = valid8 || _valid3;
      let _errs36 = errors;
      validate63(data20, { instancePath: instancePath + "/agentS2SEngine", parentData: data, parentDataProperty: "agentS2SEngine", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors), errors = vErrors.length);
      var _valid3 = _errs36 === errors;
      if (valid8 = valid8 || _valid3, valid8)
        errors = _errs34, vErrors !== null && (_errs34 ? vErrors.length = _errs34 : vErrors = null);
      else {
        let err10 = { instancePath: instancePath + "/agentS2SEngine", schemaPath: "#/properties/agentS2SEngine/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
      }
    }
    if (data.agentSttEngine !== void 0) {
      let data21 = data.agentSttEngine, _errs38 = errors, valid9 = !1, _errs39 = errors;
      if (!(data21 === "stt_a" || data21 === "stt_b" || data21 === "stt_b_flux" || data21 === "stt_c")) {
        let err11 = { instancePath: instancePath + "/agentSttEngine", schemaPath: "#/properties/agentSttEngine/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema25.properties.agentSttEngine.anyOf[0].enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
      }
      var _valid4 = _errs39 === errors;
      valid9 = valid9 || _valid4;
      let _errs40 = errors;
      validate63(data21, { instancePath: instancePath + "/agentSttEngine", parentData: data, parentDataProperty: "agentSttEngine", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors), errors = vErrors.length);
      var _valid4 = _errs40 === errors;
      if (valid9 = valid9 || _valid4, valid9)
        errors = _errs38, vErrors !== null && (_errs38 ? vErrors.length = _errs38 : vErrors = null);
      else {
        let err12 = { instancePath: instancePath + "/agentSttEngine", schemaPath: "#/properties/agentSttEngine/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
      }
    }
    if (data.agentSttSmartFormatting !== void 0 && (validate84(data.agentSttSmartFormatting, { instancePath: instancePath + "/agentSttSmartFormatting", parentData: data, parentDataProperty: "agentSttSmartFormatting", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors), errors = vErrors.length)), data.postAnswerDtmf !== void 0 && (validate65(data.postAnswerDtmf, { instancePath: instancePath + "/postAnswerDtmf", parentData: data, parentDataProperty: "postAnswerDtmf", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.waitOnAnswer !== void 0) {
      let data24 = data.waitOnAnswer;
      if (validate91(data24, { instancePath: instancePath + "/waitOnAnswer", parentData: data, parentDataProperty: "waitOnAnswer", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors), errors = vErrors.length), typeof data24 == "number" && (data24 < 0 || isNaN(data24))) {
        let err13 = { instancePath: instancePath + "/waitOnAnswer", schemaPath: "#/properties/waitOnAnswer/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
      }
    }
    if (data.interruptionWordCount !== void 0) {
      let data25 = data.interruptionWordCount;
      if (validate91(data25, { instancePath: instancePath + "/interruptionWordCount", parentData: data, parentDataProperty: "interruptionWordCount", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors), errors = vErrors.length), typeof data25 == "number" && (data25 < 0 || isNaN(data25))) {
        let err14 = { instancePath: instancePath + "/interruptionWordCount", schemaPath: "#/properties/interruptionWordCount/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
      }
    }
    if (data.interruptionMinimumSpeakingTime !== void 0) {
      let data26 = data.interruptionMinimumSpeakingTime;
      if (validate91(data26, { instancePath: instancePath + "/interruptionMinimumSpeakingTime", parentData: data, parentDataProperty: "interruptionMinimumSpeakingTime", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors), errors = vErrors.length), typeof data26 == "number" && (data26 < 0 || isNaN(data26))) {
        let err15 = { instancePath: instancePath + "/interruptionMinimumSpeakingTime", schemaPath: "#/properties/interruptionMinimumSpeakingTime/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
      }
    }
    if (data.speakingTimeout !== void 0) {
      let data27 = data.speakingTimeout;
      if (validate91(data27, { instancePath: instancePath + "/speakingTimeout", parentData: data, parentDataProperty: "speakingTimeout", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors), errors = vErrors.length), typeof data27 == "number" && (data27 < 0 || isNaN(data27))) {
        let err16 = { instancePath: instancePath + "/speakingTimeout", schemaPath: "#/properties/speakingTimeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
      }
    }
    if (data.speechProcessingDelay !== void 0) {
      let data28 = data.speechProcessingDelay;
      if (validate91(data28, { instancePath: instancePath + "/speechProcessingDelay", parentData: data, parentDataProperty: "speechProcessingDelay", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors), errors = vErrors.length), typeof data28 == "number" && (data28 < 0 || isNaN(data28))) {
        let err17 = { instancePath: instancePath + "/speechProcessingDelay", schemaPath: "#/properties/speechProcessingDelay/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
      }
    }
    if (data.speechProcessingDelayInterruptionStep !== void 0) {
      let data29 = data.speechProcessingDelayInterruptionStep;
      if (validate91(data29, { instancePath: instancePath + "/speechProcessingDelayInterruptionStep", parentData: data, parentDataProperty: "speechProcessingDelayInterruptionStep", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors), errors = vErrors.length), typeof data29 == "number" && (data29 < 0 || isNaN(data29))) {
        let err18 = { instancePath: instancePath + "/speechProcessingDelayInterruptionStep", schemaPath: "#/properties/speechProcessingDelayInterruptionStep/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
      }
    }
    if (data.speechProcessingDelayMaxMultiplier !== void 0) {
      let data30 = data.speechProcessingDelayMaxMultiplier;
      if (validate91(data30, { instancePath: instancePath + "/speechProcessingDelayMaxMultiplier", parentData: data, parentDataProperty: "speechProcessingDelayMaxMultiplier", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors), errors = vErrors.length), typeof data30 == "number" && (data30 < 0 || isNaN(data30))) {
        let err19 = { instancePath: instancePath + "/speechProcessingDelayMaxMultiplier", schemaPath: "#/properties/speechProcessingDelayMaxMultiplier/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
      }
    }
    if (data.callerResponseTimeout !== void 0) {
      let data31 = data.callerResponseTimeout;
      if (validate91(data31, { instancePath: instancePath + "/callerResponseTimeout", parentData: data, parentDataProperty: "callerResponseTimeout", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors), errors = vErrors.length), typeof data31 == "number" && (data31 < 0 || isNaN(data31))) {
        let err20 = { instancePath: instancePath + "/callerResponseTimeout", schemaPath: "#/properties/callerResponseTimeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
      }
    }
    if (data.callerResponseTimeoutHangupCounter !== void 0) {
      let data32 = data.callerResponseTimeoutHangupCounter;
      if (validate91(data32, { instancePath: instancePath + "/callerResponseTimeoutHangupCounter", parentData: data, parentDataProperty: "callerResponseTimeoutHangupCounter", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors), errors = vErrors.length), typeof data32 == "number" && (data32 < 0 || isNaN(data32))) {
        let err21 = { instancePath: instancePath + "/callerResponseTimeoutHangupCounter", schemaPath: "#/properties/callerResponseTimeoutHangupCounter/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
      }
    }
    if (data.noContactInjection !== void 0 && (validate84(data.noContactInjection, { instancePath: instancePath + "/noContactInjection", parentData: data, parentDataProperty: "noContactInjection", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors), errors = vErrors.length)), data.noConvoHistory !== void 0 && (validate84(data.noConvoHistory, { instancePath: instancePath + "/noConvoHistory", parentData: data, parentDataProperty: "noConvoHistory", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors), errors = vErrors.length)), data.autoRecordingNotification !== void 0) {
      let data35 = data.autoRecordingNotification, _errs55 = errors, valid10 = !1, _errs56 = errors;
      if (!(data35 === "true" || data35 === "false" || data35 === "always")) {
        let err22 = { instancePath: instancePath + "/autoRecordingNotification", schemaPath: "#/properties/autoRecordingNotification/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema25.properties.autoRecordingNotification.anyOf[0].enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
      }
      var _valid5 = _errs56 === errors;
      valid10 = valid10 || _valid5;
      let _errs57 = errors;
      if (typeof data35 != "boolean") {
        let err23 = { instancePath: instancePath + "/autoRecordingNotification", schemaPath: "#/properties/autoRecordingNotification/anyOf/1/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
        vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
      }
      var _valid5 = _errs57 === errors;
      valid10 = valid10 || _valid5;
      let _errs59 = errors;
      validate63(data35, { instancePath: instancePath + "/autoRecordingNotification", parentData: data, parentDataProperty: "autoRecordingNotification", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors), errors = vErrors.length);
      var _valid5 = _errs59 === errors;
      if (valid10 = valid10 || _valid5, valid10)
        errors = _errs55, vErrors !== null && (_errs55 ? vErrors.length = _errs55 : vErrors = null);
      else {
        let err24 = { instancePath: instancePath + "/autoRecordingNotification", schemaPath: "#/properties/autoRecordingNotification/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
      }
    }
    if (data.recordingNotificationPhrase !== void 0 && (validate65(data.recordingNotificationPhrase, { instancePath: instancePath + "/recordingNotificationPhrase", parentData: data, parentDataProperty: "recordingNotificationPhrase", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.preAnswerRingTime !== void 0) {
      let data37 = data.preAnswerRingTime;
      if (validate106(data37, { instancePath: instancePath + "/preAnswerRingTime", parentData: data, parentDataProperty: "preAnswerRingTime", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate106.errors : vErrors.concat(validate106.errors), errors = vErrors.length), typeof data37 == "number") {
        if (data37 > 60 || isNaN(data37)) {
          let err25 = { instancePath: instancePath + "/preAnswerRingTime", schemaPath: "#/properties/preAnswerRingTime/maximum", keyword: "maximum", params: { comparison: "<=", limit: 60 }, message: "must be <= 60" };
          vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
        }
        if (data37 < 1 || isNaN(data37)) {
          let err26 = { instancePath: instancePath + "/preAnswerRingTime", schemaPath: "#/properties/preAnswerRingTime/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
        }
      }
    }
    data.preAnswerSkipProcessingResults !== void 0 && (validate84(data.preAnswerSkipProcessingResults, { instancePath: instancePath + "/preAnswerSkipProcessingResults", parentData: data, parentDataProperty: "preAnswerSkipProcessingResults", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors), errors = vErrors.length));
  } else {
    let err27 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
  }
  return validate62.errors = vErrors, errors === 0;
}
validate62.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate112(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate112.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.slug === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "slug" || key0 === "instructions")) {
        let err1 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    if (data.slug !== void 0) {
      let data0 = data.slug;
      if (typeof data0 == "string") {
        if (func2(data0) < 1) {
          let err2 = { instancePath: instancePath + "/slug", schemaPath: "#/properties/slug/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
        }
      } else {
        let err3 = { instancePath: instancePath + "/slug", schemaPath: "#/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    data.instructions !== void 0 && (validate65(data.instructions, { instancePath: instancePath + "/instructions", parentData: data, parentDataProperty: "instructions", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length));
  } else {
    let err4 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
  }
  return validate112.errors = vErrors, errors === 0;
}
validate112.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate111(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate111.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), Array.isArray(data)) {
    let len0 = data.length;
    for (let i0 = 0; i0 < len0; i0++)
      validate112(data[i0], { instancePath: instancePath + "/" + i0, parentData: data, parentDataProperty: i0, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate112.errors : vErrors.concat(validate112.errors), errors = vErrors.length);
  } else {
    let err0 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "array" }, message: "must be array" };
    vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
  }
  return validate111.errors = vErrors, errors === 0;
}
validate111.evaluated = { items: !0, dynamicProps: !1, dynamicItems: !1 };
function validate117(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate117.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.appId === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "appId" }, message: "must have required property 'appId'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "appId" || key0 === "version" || key0 === "instructions")) {
        let err1 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    if (data.appId !== void 0) {
      let data0 = data.appId;
      if (typeof data0 == "string") {
        if (func2(data0) < 1) {
          let err2 = { instancePath: instancePath + "/appId", schemaPath: "#/properties/appId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
        }
      } else {
        let err3 = { instancePath: instancePath + "/appId", schemaPath: "#/properties/appId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    data.version !== void 0 && (validate65(data.version, { instancePath: instancePath + "/version", parentData: data, parentDataProperty: "version", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.instructions !== void 0 && (validate65(data.instructions, { instancePath: instancePath + "/instructions", parentData: data, parentDataProperty: "instructions", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length));
  } else {
    let err4 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
  }
  return validate117.errors = vErrors, errors === 0;
}
validate117.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate116(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate116.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), Array.isArray(data)) {
    let len0 = data.length;
    for (let i0 = 0; i0 < len0; i0++)
      validate117(data[i0], { instancePath: instancePath + "/" + i0, parentData: data, parentDataProperty: i0, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate117.errors : vErrors.concat(validate117.errors), errors = vErrors.length);
  } else {
    let err0 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "array" }, message: "must be array" };
    vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
  }
  return validate116.errors = vErrors, errors === 0;
}
validate116.evaluated = { items: !0, dynamicProps: !1, dynamicItems: !1 };
var schema36 = { description: "Background audio on calls: an HTTP(S) URL, or an object. Members left out have their defaults; it is sent whole.", writeOnly: !0, "x-shorthand": "url", anyOf: [{ type: "string" }, { type: "object", "x-required": ["url"], additionalProperties: !1, properties: { url: { description: "HTTP(S) URL of the audio.", $ref: "#/$defs/Text" }, loop: { description: "Play it again when it ends.", $ref: "#/$defs/Boolean", default: !0 }, gain: { description: "Gain; negative is quieter.", $ref: "#/$defs/Integer", default: 0 }, startAfterGreeting: { description: "Start once the greeting has been spoken.", $ref: "#/$defs/Boolean", default: !0 }, track: { description: "`bg` ambient or `fx` foreground.", anyOf: [{ enum: ["bg", "fx"] }, { $ref: "#/$defs/Interpolated" }] } } }] };
function validate122(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate122.evaluated;
  evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0);
  let _errs0 = errors, valid0 = !1, _errs1 = errors;
  if (typeof data != "string") {
    let err0 = { instancePath, schemaPath: "#/anyOf/0/type", keyword: "type", params: { type: "string" }, message: "must be string" };
    vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
  }
  var _valid0 = _errs1 === errors;
  valid0 = valid0 || _valid0;
  let _errs3 = errors;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 in data)
      if (!(key0 === "url" || key0 === "loop" || key0 === "gain" || key0 === "startAfterGreeting" || key0 === "track")) {
        let err1 = { instancePath, schemaPath: "#/anyOf/1/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    if (data.url !== void 0 && (validate65(data.url, { instancePath: instancePath + "/url", parentData: data, parentDataProperty: "url", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length)), data.loop !== void 0 && (validate84(data.loop, { instancePath: instancePath + "/loop", parentData: data, parentDataProperty: "loop", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors), errors = vErrors.length)), data.gain !== void 0 && (validate91(data.gain, { instancePath: instancePath + "/gain", parentData: data, parentDataProperty: "gain", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors), errors = vErrors.length)), data.startAfterGreeting !== void 0 && (validate84(data.startAfterGreeting, { instancePath: instancePath + "/startAfterGreeting", parentData: data, parentDataProperty: "startAfterGreeting", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors), errors = vErrors.length)), data.track !== void 0) {
      let data4 = data.track, _errs11 = errors, valid2 = !1, _errs12 = errors;
      if (!(data4 === "bg" || data4 === "fx")) {
        let err2 = { instancePath: instancePath + "/track", schemaPath: "#/anyOf/1/properties/track/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema36.anyOf[1].properties.track.anyOf[0].enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
      var _valid1 = _errs12 === errors;
      valid2 = valid2 || _valid1;
      let _errs13 = errors;
      validate63(data4, { instancePath: instancePath + "/track", parentData: data, parentDataProperty: "track", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors), errors = vErrors.length);
      var _valid1 = _errs13 === errors;
      if (valid2 = valid2 || _valid1, valid2)
        errors = _errs11, vErrors !== null && (_errs11 ? vErrors.length = _errs11 : vErrors = null);
      else {
        let err3 = { instancePath: instancePath + "/track", schemaPath: "#/anyOf/1/properties/track/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
  } else {
    let err4 = { instancePath, schemaPath: "#/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
  }
  var _valid0 = _errs3 === errors;
  if (valid0 = valid0 || _valid0, _valid0)
    var props1 = !0;
  if (valid0)
    errors = _errs0, vErrors !== null && (_errs0 ? vErrors.length = _errs0 : vErrors = null);
  else {
    let err5 = { instancePath, schemaPath: "#/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
    vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
  }
  return validate122.errors = vErrors, evaluated0.props = props1, errors === 0;
}
validate122.evaluated = { dynamicProps: !0, dynamicItems: !1 };
var schema37 = { description: "Confirmed, monitored and attended transfers, and the rules on the inbound caller name (CNAM).", type: "object", "x-spread": !0, additionalProperties: !1, properties: { cnamAutoRejectRegex: { description: "JavaScript regex. On inbound voice calls, a match of the SIP caller name rejects the call before answer. Reject wins over transfer when both match.", $ref: "#/$defs/NullableText", default: null, writeOnly: !0, examples: ["[Ss]pam"] }, cnamAutoRejectCode: { description: "SIP reject code used on a reject match.", $ref: "#/$defs/Integer", minimum: 400, maximum: 699, default: 603, writeOnly: !0 }, cnamAutoTransferRegex: { description: "JavaScript regex. On inbound voice calls, a match, when reject did not match, transfers the call silently.", $ref: "#/$defs/NullableText", default: null, writeOnly: !0, examples: ["^VIP"] }, cnamAutoTransferDestination: { description: "E.164 phone number, or `ext:<number>`, or `pbx:<number>`.", $ref: "#/$defs/NullableText", default: null, writeOnly: !0, examples: ["ext:100"] }, confirmTransfers: { description: "The callee must press 1 before the transfer completes.", $ref: "#/$defs/Boolean", default: !1, writeOnly: !0 }, monitorTransfers: { description: "Keep monitoring and transcribing transferred calls.", $ref: "#/$defs/Boolean", default: !1, writeOnly: !0 }, attendedTransfers: { description: "The agent stays on the line during transfer attempts and the answerer must say Yes. Overrides confirmTransfers.", $ref: "#/$defs/Boolean", default: !1, writeOnly: !0 }, attendedTransferBridgeTrigger: { description: "What the transferee must say for bridging: null (means Yes), `any`, or a JavaScript regex.", $ref: "#/$defs/NullableText", default: null, writeOnly: !0 }, transferConfirmTimeout: { description: "Wait for confirmation after a transfer with confirmTransfers or attendedTransfers is answered, in seconds.", $ref: "#/$defs/Integer", minimum: 0, default: 30, writeOnly: !0 } } }, schema38 = { anyOf: [{ type: ["string", "null"] }, { $ref: "#/$defs/FileReference" }] };
function validate130(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate130.evaluated;
  evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0);
  let _errs0 = errors, valid0 = !1, _errs1 = errors;
  if (typeof data != "string" && data !== null) {
    let err0 = { instancePath, schemaPath: "#/anyOf/0/type", keyword: "type", params: { type: schema38.anyOf[0].type }, message: "must be string,null" };
    vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
  }
  var _valid0 = _errs1 === errors;
  valid0 = valid0 || _valid0;
  let _errs3 = errors;
  validate66(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors), errors = vErrors.length);
  var _valid0 = _errs3 === errors;
  if (valid0 = valid0 || _valid0, _valid0)
    var props0 = !0;
  if (valid0)
    errors = _errs0, vErrors !== null && (_errs0 ? vErrors.length = _errs0 : vErrors = null);
  else {
    let err1 = { instancePath, schemaPath: "#/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate130.errors = vErrors, evaluated0.props = props0, errors === 0;
}
validate130.evaluated = { dynamicProps: !0, dynamicItems: !1 };
function validate129(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate129.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 in data)
      if (!func1.call(schema37.properties, key0)) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.cnamAutoRejectRegex !== void 0 && (validate130(data.cnamAutoRejectRegex, { instancePath: instancePath + "/cnamAutoRejectRegex", parentData: data, parentDataProperty: "cnamAutoRejectRegex", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate130.errors : vErrors.concat(validate130.errors), errors = vErrors.length)), data.cnamAutoRejectCode !== void 0) {
      let data1 = data.cnamAutoRejectCode;
      if (validate91(data1, { instancePath: instancePath + "/cnamAutoRejectCode", parentData: data, parentDataProperty: "cnamAutoRejectCode", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors), errors = vErrors.length), typeof data1 == "number") {
        if (data1 > 699 || isNaN(data1)) {
          let err1 = { instancePath: instancePath + "/cnamAutoRejectCode", schemaPath: "#/properties/cnamAutoRejectCode/maximum", keyword: "maximum", params: { comparison: "<=", limit: 699 }, message: "must be <= 699" };
          vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
        }
        if (data1 < 400 || isNaN(data1)) {
          let err2 = { instancePath: instancePath + "/cnamAutoRejectCode", schemaPath: "#/properties/cnamAutoRejectCode/minimum", keyword: "minimum", params: { comparison: ">=", limit: 400 }, message: "must be >= 400" };
          vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
        }
      }
    }
    if (data.cnamAutoTransferRegex !== void 0 && (validate130(data.cnamAutoTransferRegex, { instancePath: instancePath + "/cnamAutoTransferRegex", parentData: data, parentDataProperty: "cnamAutoTransferRegex", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate130.errors : vErrors.concat(validate130.errors), errors = vErrors.length)), data.cnamAutoTransferDestination !== void 0 && (validate130(data.cnamAutoTransferDestination, { instancePath: instancePath + "/cnamAutoTransferDestination", parentData: data, parentDataProperty: "cnamAutoTransferDestination", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate130.errors : vErrors.concat(validate130.errors), errors = vErrors.length)), data.confirmTransfers !== void 0 && (validate84(data.confirmTransfers, { instancePath: instancePath + "/confirmTransfers", parentData: data, parentDataProperty: "confirmTransfers", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors), errors = vErrors.length)), data.monitorTransfers !== void 0 && (validate84(data.monitorTransfers, { instancePath: instancePath + "/monitorTransfers", parentData: data, parentDataProperty: "monitorTransfers", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors), errors = vErrors.length)), data.attendedTransfers !== void 0 && (validate84(data.attendedTransfers, { instancePath: instancePath + "/attendedTransfers", parentData: data, parentDataProperty: "attendedTransfers", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors), errors = vErrors.length)), data.attendedTransferBridgeTrigger !== void 0 && (validate130(data.attendedTransferBridgeTrigger, { instancePath: instancePath + "/attendedTransferBridgeTrigger", parentData: data, parentDataProperty: "attendedTransferBridgeTrigger", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate130.errors : vErrors.concat(validate130.errors), errors = vErrors.length)), data.transferConfirmTimeout !== void 0) {
      let data8 = data.transferConfirmTimeout;
      if (validate91(data8, { instancePath: instancePath + "/transferConfirmTimeout", parentData: data, parentDataProperty: "transferConfirmTimeout", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors), errors = vErrors.length), typeof data8 == "number" && (data8 < 0 || isNaN(data8))) {
        let err3 = { instancePath: instancePath + "/transferConfirmTimeout", schemaPath: "#/properties/transferConfirmTimeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
  } else {
    let err4 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
  }
  return validate129.errors = vErrors, errors === 0;
}
validate129.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate142(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate142.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), !(data && typeof data == "object" && !Array.isArray(data))) {
    let err0 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
  }
  return validate142.errors = vErrors, errors === 0;
}
validate142.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var schema41 = { description: "Extra query parameters of every call, such as targetAccountId.", type: "object", additionalProperties: { type: ["string", "integer", "boolean"] } };
function validate145(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate145.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data))
    for (let key0 in data) {
      let data0 = data[key0];
      if (typeof data0 != "string" && !(typeof data0 == "number" && !(data0 % 1) && !isNaN(data0)) && typeof data0 != "boolean") {
        let err0 = { instancePath: instancePath + "/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/additionalProperties/type", keyword: "type", params: { type: schema41.additionalProperties.type }, message: "must be string,integer,boolean" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    }
  else {
    let err1 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate145.errors = vErrors, errors === 0;
}
validate145.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate144(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate144.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 in data)
      if (!(key0 === "agentId" || key0 === "campaignId" || key0 === "token" || key0 === "query")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.agentId !== void 0) {
      let data0 = data.agentId;
      if (typeof data0 == "string") {
        if (func2(data0) < 1) {
          let err1 = { instancePath: instancePath + "/agentId", schemaPath: "#/properties/agentId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
        }
      } else {
        let err2 = { instancePath: instancePath + "/agentId", schemaPath: "#/properties/agentId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.campaignId !== void 0) {
      let data1 = data.campaignId;
      if (typeof data1 == "string") {
        if (func2(data1) < 1) {
          let err3 = { instancePath: instancePath + "/campaignId", schemaPath: "#/properties/campaignId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
        }
      } else {
        let err4 = { instancePath: instancePath + "/campaignId", schemaPath: "#/properties/campaignId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.token !== void 0 && typeof data.token != "string") {
      let err5 = { instancePath: instancePath + "/token", schemaPath: "#/properties/token/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    data.query !== void 0 && (validate145(data.query, { instancePath: instancePath + "/query", parentData: data, parentDataProperty: "query", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate145.errors : vErrors.concat(validate145.errors), errors = vErrors.length));
  } else {
    let err6 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
  }
  return validate144.errors = vErrors, errors === 0;
}
validate144.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate148(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate148.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 in data)
      if (!(key0 === "settings" || key0 === "skills" || key0 === "apps" || key0 === "backgroundAudio" || key0 === "transferRules" || key0 === "extraSettings" || key0 === "target")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    data.settings !== void 0 && (validate62(data.settings, { instancePath: instancePath + "/settings", parentData: data, parentDataProperty: "settings", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors), errors = vErrors.length)), data.skills !== void 0 && (validate111(data.skills, { instancePath: instancePath + "/skills", parentData: data, parentDataProperty: "skills", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate111.errors : vErrors.concat(validate111.errors), errors = vErrors.length)), data.apps !== void 0 && (validate116(data.apps, { instancePath: instancePath + "/apps", parentData: data, parentDataProperty: "apps", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors), errors = vErrors.length)), data.backgroundAudio !== void 0 && (validate122(data.backgroundAudio, { instancePath: instancePath + "/backgroundAudio", parentData: data, parentDataProperty: "backgroundAudio", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate122.errors : vErrors.concat(validate122.errors), errors = vErrors.length)), data.transferRules !== void 0 && (validate129(data.transferRules, { instancePath: instancePath + "/transferRules", parentData: data, parentDataProperty: "transferRules", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate129.errors : vErrors.concat(validate129.errors), errors = vErrors.length)), data.extraSettings !== void 0 && (validate142(data.extraSettings, { instancePath: instancePath + "/extraSettings", parentData: data, parentDataProperty: "extraSettings", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate142.errors : vErrors.concat(validate142.errors), errors = vErrors.length)), data.target !== void 0 && (validate144(data.target, { instancePath: instancePath + "/target", parentData: data, parentDataProperty: "target", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate144.errors : vErrors.concat(validate144.errors), errors = vErrors.length));
  } else {
    let err1 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate148.errors = vErrors, errors === 0;
}
validate148.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate53(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate53.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.apiVersion === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "apiVersion" }, message: "must have required property 'apiVersion'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.kind === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "kind" }, message: "must have required property 'kind'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    for (let key0 in data)
      if (!func1.call(schema20.properties, key0)) {
        let err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    if (data.apiVersion !== void 0 && (validate54(data.apiVersion, { instancePath: instancePath + "/apiVersion", parentData: data, parentDataProperty: "apiVersion", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors), errors = vErrors.length)), data.kind !== void 0 && data.kind !== "Agent") {
      let err3 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/const", keyword: "const", params: { allowedValue: "Agent" }, message: "must be equal to constant" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.name !== void 0 && (validate56(data.name, { instancePath: instancePath + "/name", parentData: data, parentDataProperty: "name", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors), errors = vErrors.length)), data.extends !== void 0 && (validate58(data.extends, { instancePath: instancePath + "/extends", parentData: data, parentDataProperty: "extends", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate58.errors : vErrors.concat(validate58.errors), errors = vErrors.length)), data.organization !== void 0 && (validate60(data.organization, { instancePath: instancePath + "/organization", parentData: data, parentDataProperty: "organization", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors), errors = vErrors.length)), data.settings !== void 0 && (validate62(data.settings, { instancePath: instancePath + "/settings", parentData: data, parentDataProperty: "settings", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors), errors = vErrors.length)), data.skills !== void 0 && (validate111(data.skills, { instancePath: instancePath + "/skills", parentData: data, parentDataProperty: "skills", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate111.errors : vErrors.concat(validate111.errors), errors = vErrors.length)), data.apps !== void 0 && (validate116(data.apps, { instancePath: instancePath + "/apps", parentData: data, parentDataProperty: "apps", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors), errors = vErrors.length)), data.backgroundAudio !== void 0 && (validate122(data.backgroundAudio, { instancePath: instancePath + "/backgroundAudio", parentData: data, parentDataProperty: "backgroundAudio", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate122.errors : vErrors.concat(validate122.errors), errors = vErrors.length)), data.transferRules !== void 0 && (validate129(data.transferRules, { instancePath: instancePath + "/transferRules", parentData: data, parentDataProperty: "transferRules", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate129.errors : vErrors.concat(validate129.errors), errors = vErrors.length)), data.extraSettings !== void 0 && (validate142(data.extraSettings, { instancePath: instancePath + "/extraSettings", parentData: data, parentDataProperty: "extraSettings", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate142.errors : vErrors.concat(validate142.errors), errors = vErrors.length)), data.target !== void 0 && (validate144(data.target, { instancePath: instancePath + "/target", parentData: data, parentDataProperty: "target", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate144.errors : vErrors.concat(validate144.errors), errors = vErrors.length)), data.environments !== void 0) {
      let data12 = data.environments;
      if (data12 && typeof data12 == "object" && !Array.isArray(data12))
        for (let key1 in data12)
          validate148(data12[key1], { instancePath: instancePath + "/environments/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), parentData: data12, parentDataProperty: key1, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate148.errors : vErrors.concat(validate148.errors), errors = vErrors.length);
      else {
        let err4 = { instancePath: instancePath + "/environments", schemaPath: "#/properties/environments/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
  } else {
    let err5 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
  }
  return validate53.errors = vErrors, errors === 0;
}
validate53.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate52(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate52.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate53(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors), errors = vErrors.length), validate52.errors = vErrors, errors === 0;
}
validate52.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var resolved = validate158, schema43 = { title: "Agent", description: "A conversational agent: the settings of POST /api/v2/agent, in sections.", type: "object", required: ["apiVersion", "kind"], additionalProperties: !1, properties: { apiVersion: { description: "The version of this format.", const: "agentform/v1" }, kind: { const: "Agent" }, name: { description: "The identity of the resource in the project, unique per kind. A base has none.", type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, extends: { description: "A base inside the project folder, outside `manifests`, relative to this file. The nearer value wins, maps merge, keyed lists merge by key, other lists are replaced.", type: "string", minLength: 1 }, organization: { description: "Name of the Organization manifest whose account the calls act for.", type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, settings: { description: "The agent's settings, named exactly as the service names them.", type: "object", "x-spread": !0, additionalProperties: !1, properties: { type: { const: "chatAgent", description: "Agent type. May be left out: it has one value.", default: "chatAgent", "x-read-as": "campaignType" }, title: { type: "string", description: "Agent title." }, description: { type: "string", description: "Description of the agent.", writeOnly: !0 }, welcomeMessage: { type: "string", description: "Greeting shown or spoken when a user first reaches the agent." }, links: { description: "HTTP links used as external knowledge.", type: "array", items: { type: "string" }, "x-list-type": "set", examples: [["https://www.example.com/opening-hours"]] }, actions: { description: "Names of actions that the agent can take.", type: "array", items: { type: "string" }, "x-list-type": "set", "x-read-as": "actions[].name" }, timezone: { type: "string", description: "IANA time zone that the agent operates in.", examples: ["Europe/Berlin"] }, agentVoice: { type: "string", description: "Voice model." }, agentLang: { enum: ["en-US", "multi", "es-MX", "es-ES", "es-US"], description: "Language for voice and transcription.", default: "en-US" }, agentInstructions: { type: "string", description: "Instructions for user interaction.", examples: [{ file: "../prompts/front-desk.md" }] }, publicInstructions: { type: "string", description: "Extra instructions used only in public-facing conversations." }, adminInstructions: { type: "string", description: "Instructions written into the managed admin section of the agent's instruction file on publish." }, heartbeatInstructions: { type: "string", description: "Instructions written into the managed heartbeat section on publish." }, heartbeatEvery: { type: "string", description: "Heartbeat interval override, as interval text. It persists on the draft and is sent only when it changed.", "x-send": "on-change", examples: ["30m"] }, agentModel: { type: "string", description: "Language model used for the agent's intelligence." }, agentThinking: { enum: ["low", null], description: "Reasoning budget for models that support thinking; null disables it." }, agentThinkingModel: { type: "string", description: "Model for the pauseAndThink function; the service has a default.", writeOnly: !0 }, postConvoForceThinking: { type: "boolean", description: "Forces the summary, reporting and spam detection after a conversation onto a thinking-capable model when agentThinking is off and the chosen model cannot think. Uses agentThinkingModel.", writeOnly: !0 }, agentS2SEngine: { enum: ["s2s_a", "s2s_b", null], description: "Speech-to-speech engine; requires a specific paid plan.", default: null, writeOnly: !0 }, agentSttEngine: { enum: ["stt_a", "stt_b", "stt_b_flux", "stt_c"], description: "Speech-to-text engine.", default: "stt_b", writeOnly: !0 }, agentSttSmartFormatting: { type: "boolean", description: "Smart formatting of transcripts; punctuation and numerals stay enabled regardless.", default: !0, writeOnly: !0 }, postAnswerDtmf: { type: "string", description: "DTMF digits sent when answering a call, for forwarding platforms that check for them.", writeOnly: !0, examples: ["1"] }, waitOnAnswer: { type: "integer", description: "Wait before speaking the welcomeMessage, in milliseconds.", minimum: 0, writeOnly: !0 }, interruptionWordCount: { type: "integer", description: "Words that a caller must speak for it to count as an interruption.", minimum: 0, default: 3, writeOnly: !0 }, interruptionMinimumSpeakingTime: { type: "integer", description: "How long the agent must have been speaking before it can be interrupted, in seconds.", minimum: 0, default: 3, writeOnly: !0 }, speakingTimeout: { type: "integer", description: "Gap between words after which the caller is considered finished, in milliseconds.", minimum: 0, default: 1200, writeOnly: !0 }, speechProcessingDelay: { type: "integer", description: "Delay before processed speech is sent to the model, in milliseconds; it rises and falls with the number of recent interruptions.", minimum: 0, default: 500, writeOnly: !0 }, speechProcessingDelayInterruptionStep: { type: "integer", description: "Delay added per interruption, in milliseconds.", minimum: 0, default: 500, writeOnly: !0 }, speechProcessingDelayMaxMultiplier: { type: "integer", description: "Maximum number of interruptions that influence the delay.", minimum: 0, default: 4, writeOnly: !0 }, callerResponseTimeout: { type: "integer", description: "Caller silence before the agent asks whether the caller is still there, in seconds.", minimum: 0, default: 13, writeOnly: !0 }, callerResponseTimeoutHangupCounter: { type: "integer", description: "Maximum number of such asks before the call is hung up.", minimum: 0, default: 3, writeOnly: !0 }, noContactInjection: { type: "boolean", description: "When true, the caller's contact card is not injected into the agent's context.", default: !1, writeOnly: !0 }, noConvoHistory: { type: "boolean", description: "When true, the history of the caller's call summaries is not injected.", default: !1, writeOnly: !0 }, autoRecordingNotification: { enum: ["true", "false", "always"], description: "`true`: notify callers from area codes where notice is legally required; `false`: never notify; `always`: notify every caller. The service wants a string; a YAML boolean is accepted and sent as one.", default: "true", writeOnly: !0 }, recordingNotificationPhrase: { type: "string", description: "Phrase spoken to announce recording.", default: "This call is being recorded.", writeOnly: !0 }, preAnswerRingTime: { type: ["integer", "null"], description: "Ringing that the caller experiences before the agent answers, in seconds, 1 to 60; null for none.", minimum: 1, maximum: 60, default: null, writeOnly: !0 }, preAnswerSkipProcessingResults: { type: "boolean", description: "When true, pre-answer functions return raw results straight to the agent's context without another model step.", default: !1, writeOnly: !0 } }, required: ["title", "description"] }, skills: { description: "Declarative skill configuration for agent-runtime deployments.", type: "array", items: { type: "object", required: ["slug", "instructions"], additionalProperties: !1, properties: { slug: { description: "Canonical slug of the skill.", type: "string", minLength: 1 }, instructions: { type: "string", description: "Instructions written into the managed tools section on publish." } } }, default: [], "x-list-type": "map", "x-list-map-keys": ["slug"] }, apps: { description: "Apps enabled for the agent.", type: "array", items: { type: "object", required: ["appId", "version", "instructions"], additionalProperties: !1, properties: { appId: { description: "Identifier of the app.", type: "string", minLength: 1 }, version: { type: "string", description: "Version of the app's integration.", examples: ["v1"] }, instructions: { type: "string", description: "How the agent should use the app." } } }, default: [], "x-list-type": "map", "x-list-map-keys": ["appId"] }, backgroundAudio: { description: "Background audio on calls: an HTTP(S) URL, or an object. Members left out have their defaults; it is sent whole.", writeOnly: !0, "x-shorthand": "url", anyOf: [{ type: "string" }, { type: "object", additionalProperties: !1, properties: { url: { type: "string", description: "HTTP(S) URL of the audio." }, loop: { type: "boolean", description: "Play it again when it ends.", default: !0 }, gain: { type: "integer", description: "Gain; negative is quieter.", default: 0 }, startAfterGreeting: { type: "boolean", description: "Start once the greeting has been spoken.", default: !0 }, track: { enum: ["bg", "fx"], description: "`bg` ambient or `fx` foreground." } }, required: ["url"] }] }, transferRules: { description: "Confirmed, monitored and attended transfers, and the rules on the inbound caller name (CNAM).", type: "object", "x-spread": !0, additionalProperties: !1, properties: { cnamAutoRejectRegex: { type: ["string", "null"], description: "JavaScript regex. On inbound voice calls, a match of the SIP caller name rejects the call before answer. Reject wins over transfer when both match.", default: null, writeOnly: !0, examples: ["[Ss]pam"] }, cnamAutoRejectCode: { type: "integer", description: "SIP reject code used on a reject match.", minimum: 400, maximum: 699, default: 603, writeOnly: !0 }, cnamAutoTransferRegex: { type: ["string", "null"], description: "JavaScript regex. On inbound voice calls, a match, when reject did not match, transfers the call silently.", default: null, writeOnly: !0, examples: ["^VIP"] }, cnamAutoTransferDestination: { type: ["string", "null"], description: "E.164 phone number, or `ext:<number>`, or `pbx:<number>`.", default: null, writeOnly: !0, examples: ["ext:100"] }, confirmTransfers: { type: "boolean", description: "The callee must press 1 before the transfer completes.", default: !1, writeOnly: !0 }, monitorTransfers: { type: "boolean", description: "Keep monitoring and transcribing transferred calls.", default: !1, writeOnly: !0 }, attendedTransfers: { type: "boolean", description: "The agent stays on the line during transfer attempts and the answerer must say Yes. Overrides confirmTransfers.", default: !1, writeOnly: !0 }, attendedTransferBridgeTrigger: { type: ["string", "null"], description: "What the transferee must say for bridging: null (means Yes), `any`, or a JavaScript regex.", default: null, writeOnly: !0 }, transferConfirmTimeout: { type: "integer", description: "Wait for confirmation after a transfer with confirmTransfers or attendedTransfers is answered, in seconds.", minimum: 0, default: 30, writeOnly: !0 } } }, extraSettings: { description: "Settings that are passed through as they are: not validated, and marked so in the plan. They win over a setting of the same name.", type: "object", "x-list-type": "atomic", additionalProperties: !0 }, target: { description: "Which agent the calls for this resource hit, where that differs from the environment.", type: "object", additionalProperties: !1, properties: { agentId: { description: "The agent's id, for reading it.", type: "string", minLength: 1 }, campaignId: { description: "The id that an update answers with, where it differs from agentId.", type: "string", minLength: 1 }, token: { description: "The API token, only ever as ${secret.NAME}.", type: "string", "x-sensitive": !0 }, query: { description: "Extra query parameters of every call, such as targetAccountId.", type: "object", additionalProperties: { type: ["string", "integer", "boolean"] } } } }, environments: { description: "Overlays: what differs in an environment of the project, deep-merged over the rest.", type: "object", additionalProperties: { description: "What differs in one environment.", type: "object", additionalProperties: !1, properties: { settings: { description: "The agent's settings, named exactly as the service names them.", type: "object", "x-spread": !0, additionalProperties: !1, properties: { type: { const: "chatAgent", description: "Agent type. May be left out: it has one value.", default: "chatAgent", "x-read-as": "campaignType" }, title: { type: "string", description: "Agent title." }, description: { type: "string", description: "Description of the agent.", writeOnly: !0 }, welcomeMessage: { type: "string", description: "Greeting shown or spoken when a user first reaches the agent." }, links: { description: "HTTP links used as external knowledge.", type: "array", items: { type: "string" }, "x-list-type": "set", examples: [["https://www.example.com/opening-hours"]] }, actions: { description: "Names of actions that the agent can take.", type: "array", items: { type: "string" }, "x-list-type": "set", "x-read-as": "actions[].name" }, timezone: { type: "string", description: "IANA time zone that the agent operates in.", examples: ["Europe/Berlin"] }, agentVoice: { type: "string", description: "Voice model." }, agentLang: { enum: ["en-US", "multi", "es-MX", "es-ES", "es-US"], description: "Language for voice and transcription.", default: "en-US" }, agentInstructions: { type: "string", description: "Instructions for user interaction.", examples: [{ file: "../prompts/front-desk.md" }] }, publicInstructions: { type: "string", description: "Extra instructions used only in public-facing conversations." }, adminInstructions: { type: "string", description: "Instructions written into the managed admin section of the agent's instruction file on publish." }, heartbeatInstructions: { type: "string", description: "Instructions written into the managed heartbeat section on publish." }, heartbeatEvery: { type: "string", description: "Heartbeat interval override, as interval text. It persists on the draft and is sent only when it changed.", "x-send": "on-change", examples: ["30m"] }, agentModel: { type: "string", description: "Language model used for the agent's intelligence." }, agentThinking: { enum: ["low", null], description: "Reasoning budget for models that support thinking; null disables it." }, agentThinkingModel: { type: "string", description: "Model for the pauseAndThink function; the service has a default.", writeOnly: !0 }, postConvoForceThinking: { type: "boolean", description: "Forces the summary, reporting and spam detection after a conversation onto a thinking-capable model when agentThinking is off and the chosen model cannot think. Uses agentThinkingModel.", writeOnly: !0 }, agentS2SEngine: { enum: ["s2s_a", "s2s_b", null], description: "Speech-to-speech engine; requires a specific paid plan.", default: null, writeOnly: !0 }, agentSttEngine: { enum: ["stt_a", "stt_b", "stt_b_flux", "stt_c"], description: "Speech-to-text engine.", default: "stt_b", writeOnly: !0 }, agentSttSmartFormatting: { type: "boolean", description: "Smart formatting of transcripts; punctuation and numerals stay enabled regardless.", default: !0, writeOnly: !0 }, postAnswerDtmf: { type: "string", description: "DTMF digits sent when answering a call, for forwarding platforms that check for them.", writeOnly: !0, examples: ["1"] }, waitOnAnswer: { type: "integer", description: "Wait before speaking the welcomeMessage, in milliseconds.", minimum: 0, writeOnly: !0 }, interruptionWordCount: { type: "integer", description: "Words that a caller must speak for it to count as an interruption.", minimum: 0, default: 3, writeOnly: !0 }, interruptionMinimumSpeakingTime: { type: "integer", description: "How long the agent must have been speaking before it can be interrupted, in seconds.", minimum: 0, default: 3, writeOnly: !0 }, speakingTimeout: { type: "integer", description: "Gap between words after which the caller is considered finished, in milliseconds.", minimum: 0, default: 1200, writeOnly: !0 }, speechProcessingDelay: { type: "integer", description: "Delay before processed speech is sent to the model, in milliseconds; it rises and falls with the number of recent interruptions.", minimum: 0, default: 500, writeOnly: !0 }, speechProcessingDelayInterruptionStep: { type: "integer", description: "Delay added per interruption, in milliseconds.", minimum: 0, default: 500, writeOnly: !0 }, speechProcessingDelayMaxMultiplier: { type: "integer", description: "Maximum number of interruptions that influence the delay.", minimum: 0, default: 4, writeOnly: !0 }, callerResponseTimeout: { type: "integer", description: "Caller silence before the agent asks whether the caller is still there, in seconds.", minimum: 0, default: 13, writeOnly: !0 }, callerResponseTimeoutHangupCounter: { type: "integer", description: "Maximum number of such asks before the call is hung up.", minimum: 0, default: 3, writeOnly: !0 }, noContactInjection: { type: "boolean", description: "When true, the caller's contact card is not injected into the agent's context.", default: !1, writeOnly: !0 }, noConvoHistory: { type: "boolean", description: "When true, the history of the caller's call summaries is not injected.", default: !1, writeOnly: !0 }, autoRecordingNotification: { enum: ["true", "false", "always"], description: "`true`: notify callers from area codes where notice is legally required; `false`: never notify; `always`: notify every caller. The service wants a string; a YAML boolean is accepted and sent as one.", default: "true", writeOnly: !0 }, recordingNotificationPhrase: { type: "string", description: "Phrase spoken to announce recording.", default: "This call is being recorded.", writeOnly: !0 }, preAnswerRingTime: { type: ["integer", "null"], description: "Ringing that the caller experiences before the agent answers, in seconds, 1 to 60; null for none.", minimum: 1, maximum: 60, default: null, writeOnly: !0 }, preAnswerSkipProcessingResults: { type: "boolean", description: "When true, pre-answer functions return raw results straight to the agent's context without another model step.", default: !1, writeOnly: !0 } }, required: ["title", "description"] }, skills: { description: "Declarative skill configuration for agent-runtime deployments.", type: "array", items: { type: "object", required: ["slug", "instructions"], additionalProperties: !1, properties: { slug: { description: "Canonical slug of the skill.", type: "string", minLength: 1 }, instructions: { type: "string", description: "Instructions written into the managed tools section on publish." } } }, default: [], "x-list-type": "map", "x-list-map-keys": ["slug"] }, apps: { description: "Apps enabled for the agent.", type: "array", items: { type: "object", required: ["appId", "version", "instructions"], additionalProperties: !1, properties: { appId: { description: "Identifier of the app.", type: "string", minLength: 1 }, version: { type: "string", description: "Version of the app's integration.", examples: ["v1"] }, instructions: { type: "string", description: "How the agent should use the app." } } }, default: [], "x-list-type": "map", "x-list-map-keys": ["appId"] }, backgroundAudio: { description: "Background audio on calls: an HTTP(S) URL, or an object. Members left out have their defaults; it is sent whole.", writeOnly: !0, "x-shorthand": "url", anyOf: [{ type: "string" }, { type: "object", additionalProperties: !1, properties: { url: { type: "string", description: "HTTP(S) URL of the audio." }, loop: { type: "boolean", description: "Play it again when it ends.", default: !0 }, gain: { type: "integer", description: "Gain; negative is quieter.", default: 0 }, startAfterGreeting: { type: "boolean", description: "Start once the greeting has been spoken.", default: !0 }, track: { enum: ["bg", "fx"], description: "`bg` ambient or `fx` foreground." } }, required: ["url"] }] }, transferRules: { description: "Confirmed, monitored and attended transfers, and the rules on the inbound caller name (CNAM).", type: "object", "x-spread": !0, additionalProperties: !1, properties: { cnamAutoRejectRegex: { type: ["string", "null"], description: "JavaScript regex. On inbound voice calls, a match of the SIP caller name rejects the call before answer. Reject wins over transfer when both match.", default: null, writeOnly: !0, examples: ["[Ss]pam"] }, cnamAutoRejectCode: { type: "integer", description: "SIP reject code used on a reject match.", minimum: 400, maximum: 699, default: 603, writeOnly: !0 }, cnamAutoTransferRegex: { type: ["string", "null"], description: "JavaScript regex. On inbound voice calls, a match, when reject did not match, transfers the call silently.", default: null, writeOnly: !0, examples: ["^VIP"] }, cnamAutoTransferDestination: { type: ["string", "null"], description: "E.164 phone number, or `ext:<number>`, or `pbx:<number>`.", default: null, writeOnly: !0, examples: ["ext:100"] }, confirmTransfers: { type: "boolean", description: "The callee must press 1 before the transfer completes.", default: !1, writeOnly: !0 }, monitorTransfers: { type: "boolean", description: "Keep monitoring and transcribing transferred calls.", default: !1, writeOnly: !0 }, attendedTransfers: { type: "boolean", description: "The agent stays on the line during transfer attempts and the answerer must say Yes. Overrides confirmTransfers.", default: !1, writeOnly: !0 }, attendedTransferBridgeTrigger: { type: ["string", "null"], description: "What the transferee must say for bridging: null (means Yes), `any`, or a JavaScript regex.", default: null, writeOnly: !0 }, transferConfirmTimeout: { type: "integer", description: "Wait for confirmation after a transfer with confirmTransfers or attendedTransfers is answered, in seconds.", minimum: 0, default: 30, writeOnly: !0 } } }, extraSettings: { description: "Settings that are passed through as they are: not validated, and marked so in the plan. They win over a setting of the same name.", type: "object", "x-list-type": "atomic", additionalProperties: !0 }, target: { description: "Which agent the calls for this resource hit, where that differs from the environment.", type: "object", additionalProperties: !1, properties: { agentId: { description: "The agent's id, for reading it.", type: "string", minLength: 1 }, campaignId: { description: "The id that an update answers with, where it differs from agentId.", type: "string", minLength: 1 }, token: { description: "The API token, only ever as ${secret.NAME}.", type: "string", "x-sensitive": !0 }, query: { description: "Extra query parameters of every call, such as targetAccountId.", type: "object", additionalProperties: { type: ["string", "integer", "boolean"] } } } } } } } }, $id: "urn:validator:resolved" };
function validate158(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate158.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.apiVersion === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "apiVersion" }, message: "must have required property 'apiVersion'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.kind === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "kind" }, message: "must have required property 'kind'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    for (let key0 in data)
      if (!func1.call(schema43.properties, key0)) {
        let err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    if (data.apiVersion !== void 0 && data.apiVersion !== "agentform/v1") {
      let err3 = { instancePath: instancePath + "/apiVersion", schemaPath: "#/properties/apiVersion/const", keyword: "const", params: { allowedValue: "agentform/v1" }, message: "must be equal to constant" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.kind !== void 0 && data.kind !== "Agent") {
      let err4 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/const", keyword: "const", params: { allowedValue: "Agent" }, message: "must be equal to constant" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.name !== void 0) {
      let data2 = data.name;
      if (typeof data2 == "string") {
        if (!pattern3.test(data2)) {
          let err5 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, message: 'must match pattern "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"' };
          vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
        }
      } else {
        let err6 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
    if (data.extends !== void 0) {
      let data3 = data.extends;
      if (typeof data3 == "string") {
        if (func2(data3) < 1) {
          let err7 = { instancePath: instancePath + "/extends", schemaPath: "#/properties/extends/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
        }
      } else {
        let err8 = { instancePath: instancePath + "/extends", schemaPath: "#/properties/extends/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
    }
    if (data.organization !== void 0) {
      let data4 = data.organization;
      if (typeof data4 == "string") {
        if (!pattern3.test(data4)) {
          let err9 = { instancePath: instancePath + "/organization", schemaPath: "#/properties/organization/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, message: 'must match pattern "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"' };
          vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
        }
      } else {
        let err10 = { instancePath: instancePath + "/organization", schemaPath: "#/properties/organization/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
      }
    }
    if (data.settings !== void 0) {
      let data5 = data.settings;
      if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
        if (data5.title === void 0) {
          let err11 = { instancePath: instancePath + "/settings", schemaPath: "#/properties/settings/required", keyword: "required", params: { missingProperty: "title" }, message: "must have required property 'title'" };
          vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
        }
        if (data5.description === void 0) {
          let err12 = { instancePath: instancePath + "/settings", schemaPath: "#/properties/settings/required", keyword: "required", params: { missingProperty: "description" }, message: "must have required property 'description'" };
          vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
        }
        for (let key1 in data5)
          if (!func1.call(schema43.properties.settings.properties, key1)) {
            let err13 = { instancePath: instancePath + "/settings", schemaPath: "#/properties/settings/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
          }
        if (data5.type !== void 0 && data5.type !== "chatAgent") {
          let err14 = { instancePath: instancePath + "/settings/type", schemaPath: "#/properties/settings/properties/type/const", keyword: "const", params: { allowedValue: "chatAgent" }, message: "must be equal to constant" };
          vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
        }
        if (data5.title !== void 0 && typeof data5.title != "string") {
          let err15 = { instancePath: instancePath + "/settings/title", schemaPath: "#/properties/settings/properties/title/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
        }
        if (data5.description !== void 0 && typeof data5.description != "string") {
          let err16 = { instancePath: instancePath + "/settings/description", schemaPath: "#/properties/settings/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
        }
        if (data5.welcomeMessage !== void 0 && typeof data5.welcomeMessage != "string") {
          let err17 = { instancePath: instancePath + "/settings/welcomeMessage", schemaPath: "#/properties/settings/properties/welcomeMessage/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
        }
        if (data5.links !== void 0) {
          let data10 = data5.links;
          if (Array.isArray(data10)) {
            let len0 = data10.length;
            for (let i0 = 0; i0 < len0; i0++)
              if (typeof data10[i0] != "string") {
                let err18 = { instancePath: instancePath + "/settings/links/" + i0, schemaPath: "#/properties/settings/properties/links/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
              }
          } else {
            let err19 = { instancePath: instancePath + "/settings/links", schemaPath: "#/properties/settings/properties/links/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
          }
        }
        if (data5.actions !== void 0) {
          let data12 = data5.actions;
          if (Array.isArray(data12)) {
            let len1 = data12.length;
            for (let i1 = 0; i1 < len1; i1++)
              if (typeof data12[i1] != "string") {
                let err20 = { instancePath: instancePath + "/settings/actions/" + i1, schemaPath: "#/properties/settings/properties/actions/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
              }
          } else {
            let err21 = { instancePath: instancePath + "/settings/actions", schemaPath: "#/properties/settings/properties/actions/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
          }
        }
        if (data5.timezone !== void 0 && typeof data5.timezone != "string") {
          let err22 = { instancePath: instancePath + "/settings/timezone", schemaPath: "#/properties/settings/properties/timezone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
        }
        if (data5.agentVoice !== void 0 && typeof data5.agentVoice != "string") {
          let err23 = { instancePath: instancePath + "/settings/agentVoice", schemaPath: "#/properties/settings/properties/agentVoice/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
        }
        if (data5.agentLang !== void 0) {
          let data16 = data5.agentLang;
          if (!(data16 === "en-US" || data16 === "multi" || data16 === "es-MX" || data16 === "es-ES" || data16 === "es-US")) {
            let err24 = { instancePath: instancePath + "/settings/agentLang", schemaPath: "#/properties/settings/properties/agentLang/enum", keyword: "enum", params: { allowedValues: schema43.properties.settings.properties.agentLang.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
          }
        }
        if (data5.agentInstructions !== void 0 && typeof data5.agentInstructions != "string") {
          let err25 = { instancePath: instancePath + "/settings/agentInstructions", schemaPath: "#/properties/settings/properties/agentInstructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
        }
        if (data5.publicInstructions !== void 0 && typeof data5.publicInstructions != "string") {
          let err26 = { instancePath: instancePath + "/settings/publicInstructions", schemaPath: "#/properties/settings/properties/publicInstructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
        }
        if (data5.adminInstructions !== void 0 && typeof data5.adminInstructions != "string") {
          let err27 = { instancePath: instancePath + "/settings/adminInstructions", schemaPath: "#/properties/settings/properties/adminInstructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
        }
        if (data5.heartbeatInstructions !== void 0 && typeof data5.heartbeatInstructions != "string") {
          let err28 = { instancePath: instancePath + "/settings/heartbeatInstructions", schemaPath: "#/properties/settings/properties/heartbeatInstructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
        }
        if (data5.heartbeatEvery !== void 0 && typeof data5.heartbeatEvery != "string") {
          let err29 = { instancePath: instancePath + "/settings/heartbeatEvery", schemaPath: "#/properties/settings/properties/heartbeatEvery/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
        }
        if (data5.agentModel !== void 0 && typeof data5.agentModel != "string") {
          let err30 = { instancePath: instancePath + "/settings/agentModel", schemaPath: "#/properties/settings/properties/agentModel/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
        }
        if (data5.agentThinking !== void 0) {
          let data23 = data5.agentThinking;
          if (!(data23 === "low" || data23 === null)) {
            let err31 = { instancePath: instancePath + "/settings/agentThinking", schemaPath: "#/properties/settings/properties/agentThinking/enum", keyword: "enum", params: { allowedValues: schema43.properties.settings.properties.agentThinking.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
          }
        }
        if (data5.agentThinkingModel !== void 0 && typeof data5.agentThinkingModel != "string") {
          let err32 = { instancePath: instancePath + "/settings/agentThinkingModel", schemaPath: "#/properties/settings/properties/agentThinkingModel/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
        }
        if (data5.postConvoForceThinking !== void 0 && typeof data5.postConvoForceThinking != "boolean") {
          let err33 = { instancePath: instancePath + "/settings/postConvoForceThinking", schemaPath: "#/properties/settings/properties/postConvoForceThinking/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
        }
        if (data5.agentS2SEngine !== void 0) {
          let data26 = data5.agentS2SEngine;
          if (!(data26 === "s2s_a" || data26 === "s2s_b" || data26 === null)) {
            let err34 = { instancePath: instancePath + "/settings/agentS2SEngine", schemaPath: "#/properties/settings/properties/agentS2SEngine/enum", keyword: "enum", params: { allowedValues: schema43.properties.settings.properties.agentS2SEngine.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err34] : vErrors.push(err34), errors++;
          }
        }
        if (data5.agentSttEngine !== void 0) {
          let data27 = data5.agentSttEngine;
          if (!(data27 === "stt_a" || data27 === "stt_b" || data27 === "stt_b_flux" || data27 === "stt_c")) {
            let err35 = { instancePath: instancePath + "/settings/agentSttEngine", schemaPath: "#/properties/settings/properties/agentSttEngine/enum", keyword: "enum", params: { allowedValues: schema43.properties.settings.properties.agentSttEngine.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err35] : vErrors.push(err35), errors++;
          }
        }
        if (data5.agentSttSmartFormatting !== void 0 && typeof data5.agentSttSmartFormatting != "boolean") {
          let err36 = { instancePath: instancePath + "/settings/agentSttSmartFormatting", schemaPath: "#/properties/settings/properties/agentSttSmartFormatting/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err36] : vErrors.push(err36), errors++;
        }
        if (data5.postAnswerDtmf !== void 0 && typeof data5.postAnswerDtmf != "string") {
          let err37 = { instancePath: instancePath + "/settings/postAnswerDtmf", schemaPath: "#/properties/settings/properties/postAnswerDtmf/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err37] : vErrors.push(err37), errors++;
        }
        if (data5.waitOnAnswer !== void 0) {
          let data30 = data5.waitOnAnswer;
          if (!(typeof data30 == "number" && !(data30 % 1) && !isNaN(data30))) {
            let err38 = { instancePath: instancePath + "/settings/waitOnAnswer", schemaPath: "#/properties/settings/properties/waitOnAnswer/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err38] : vErrors.push(err38), errors++;
          }
          if (typeof data30 == "number" && (data30 < 0 || isNaN(data30))) {
            let err39 = { instancePath: instancePath + "/settings/waitOnAnswer", schemaPath: "#/properties/settings/properties/waitOnAnswer/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
            vErrors === null ? vErrors = [err39] : vErrors.push(err39), errors++;
          }
        }
        if (data5.interruptionWordCount !== void 0) {
          let data31 = data5.interruptionWordCount;
          if (!(typeof data31 == "number" && !(data31 % 1) && !isNaN(data31))) {
            let err40 = { instancePath: instancePath + "/settings/interruptionWordCount", schemaPath: "#/properties/settings/properties/interruptionWordCount/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err40] : vErrors.push(err40), errors++;
          }
          if (typeof data31 == "number" && (data31 < 0 || isNaN(data31))) {
            let err41 = { instancePath: instancePath + "/settings/interruptionWordCount", schemaPath: "#/properties/settings/properties/interruptionWordCount/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
            vErrors === null ? vErrors = [err41] : vErrors.push(err41), errors++;
          }
        }
        if (data5.interruptionMinimumSpeakingTime !== void 0) {
          let data32 = data5.interruptionMinimumSpeakingTime;
          if (!(typeof data32 == "number" && !(data32 % 1) && !isNaN(data32))) {
            let err42 = { instancePath: instancePath + "/settings/interruptionMinimumSpeakingTime", schemaPath: "#/properties/settings/properties/interruptionMinimumSpeakingTime/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err42] : vErrors.push(err42), errors++;
          }
          if (typeof data32 == "number" && (data32 < 0 || isNaN(data32))) {
            let err43 = { instancePath: instancePath + "/settings/interruptionMinimumSpeakingTime", schemaPath: "#/properties/settings/properties/interruptionMinimumSpeakingTime/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
            vErrors === null ? vErrors = [err43] : vErrors.push(err43), errors++;
          }
        }
        if (data5.speakingTimeout !== void 0) {
          let data33 = data5.speakingTimeout;
          if (!(typeof data33 == "number" && !(data33 % 1) && !isNaN(data33))) {
            let err44 = { instancePath: instancePath + "/settings/speakingTimeout", schemaPath: "#/properties/settings/properties/speakingTimeout/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err44] : vErrors.push(err44), errors++;
          }
          if (typeof data33 == "number" && (data33 < 0 || isNaN(data33))) {
            let err45 = { instancePath: instancePath + "/settings/speakingTimeout", schemaPath: "#/properties/settings/properties/speakingTimeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
            vErrors === null ? vErrors = [err45] : vErrors.push(err45), errors++;
          }
        }
        if (data5.speechProcessingDelay !== void 0) {
          let data34 = data5.speechProcessingDelay;
          if (!(typeof data34 == "number" && !(data34 % 1) && !isNaN(data34))) {
            let err46 = { instancePath: instancePath + "/settings/speechProcessingDelay", schemaPath: "#/properties/settings/properties/speechProcessingDelay/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err46] : vErrors.push(err46), errors++;
          }
          if (typeof data34 == "number" && (data34 < 0 || isNaN(data34))) {
            let err47 = { instancePath: instancePath + "/settings/speechProcessingDelay", schemaPath: "#/properties/settings/properties/speechProcessingDelay/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
            vErrors === null ? vErrors = [err47] : vErrors.push(err47), errors++;
          }
        }
        if (data5.speechProcessingDelayInterruptionStep !== void 0) {
          let data35 = data5.speechProcessingDelayInterruptionStep;
          if (!(typeof data35 == "number" && !(data35 % 1) && !isNaN(data35))) {
            let err48 = { instancePath: instancePath + "/settings/speechProcessingDelayInterruptionStep", schemaPath: "#/properties/settings/properties/speechProcessingDelayInterruptionStep/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err48] : vErrors.push(err48), errors++;
          }
          if (typeof data35 == "number" && (data35 < 0 || isNaN(data35))) {
            let err49 = { instancePath: instancePath + "/settings/speechProcessingDelayInterruptionStep", schemaPath: "#/properties/settings/properties/speechProcessingDelayInterruptionStep/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
            vErrors === null ? vErrors = [err49] : vErrors.push(err49), errors++;
          }
        }
        if (data5.speechProcessingDelayMaxMultiplier !== void 0) {
          let data36 = data5.speechProcessingDelayMaxMultiplier;
          if (!(typeof data36 == "number" && !(data36 % 1) && !isNaN(data36))) {
            let err50 = { instancePath: instancePath + "/settings/speechProcessingDelayMaxMultiplier", schemaPath: "#/properties/settings/properties/speechProcessingDelayMaxMultiplier/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err50] : vErrors.push(err50), errors++;
          }
          if (typeof data36 == "number" && (data36 < 0 || isNaN(data36))) {
            let err51 = { instancePath: instancePath + "/settings/speechProcessingDelayMaxMultiplier", schemaPath: "#/properties/settings/properties/speechProcessingDelayMaxMultiplier/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
            vErrors === null ? vErrors = [err51] : vErrors.push(err51), errors++;
          }
        }
        if (data5.callerResponseTimeout !== void 0) {
          let data37 = data5.callerResponseTimeout;
          if (!(typeof data37 == "number" && !(data37 % 1) && !isNaN(data37))) {
            let err52 = { instancePath: instancePath + "/settings/callerResponseTimeout", schemaPath: "#/properties/settings/properties/callerResponseTimeout/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err52] : vErrors.push(err52), errors++;
          }
          if (typeof data37 == "number" && (data37 < 0 || isNaN(data37))) {
            let err53 = { instancePath: instancePath + "/settings/callerResponseTimeout", schemaPath: "#/properties/settings/properties/callerResponseTimeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
            vErrors === null ? vErrors = [err53] : vErrors.push(err53), errors++;
          }
        }
        if (data5.callerResponseTimeoutHangupCounter !== void 0) {
          let data38 = data5.callerResponseTimeoutHangupCounter;
          if (!(typeof data38 == "number" && !(data38 % 1) && !isNaN(data38))) {
            let err54 = { instancePath: instancePath + "/settings/callerResponseTimeoutHangupCounter", schemaPath: "#/properties/settings/properties/callerResponseTimeoutHangupCounter/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err54] : vErrors.push(err54), errors++;
          }
          if (typeof data38 == "number" && (data38 < 0 || isNaN(data38))) {
            let err55 = { instancePath: instancePath + "/settings/callerResponseTimeoutHangupCounter", schemaPath: "#/properties/settings/properties/callerResponseTimeoutHangupCounter/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
            vErrors === null ? vErrors = [err55] : vErrors.push(err55), errors++;
          }
        }
        if (data5.noContactInjection !== void 0 && typeof data5.noContactInjection != "boolean") {
          let err56 = { instancePath: instancePath + "/settings/noContactInjection", schemaPath: "#/properties/settings/properties/noContactInjection/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err56] : vErrors.push(err56), errors++;
        }
        if (data5.noConvoHistory !== void 0 && typeof data5.noConvoHistory != "boolean") {
          let err57 = { instancePath: instancePath + "/settings/noConvoHistory", schemaPath: "#/properties/settings/properties/noConvoHistory/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err57] : vErrors.push(err57), errors++;
        }
        if (data5.autoRecordingNotification !== void 0) {
          let data41 = data5.autoRecordingNotification;
          if (!(data41 === "true" || data41 === "false" || data41 === "always")) {
            let err58 = { instancePath: instancePath + "/settings/autoRecordingNotification", schemaPath: "#/properties/settings/properties/autoRecordingNotification/enum", keyword: "enum", params: { allowedValues: schema43.properties.settings.properties.autoRecordingNotification.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err58] : vErrors.push(err58), errors++;
          }
        }
        if (data5.recordingNotificationPhrase !== void 0 && typeof data5.recordingNotificationPhrase != "string") {
          let err59 = { instancePath: instancePath + "/settings/recordingNotificationPhrase", schemaPath: "#/properties/settings/properties/recordingNotificationPhrase/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err59] : vErrors.push(err59), errors++;
        }
        if (data5.preAnswerRingTime !== void 0) {
          let data43 = data5.preAnswerRingTime;
          if (!(typeof data43 == "number" && !(data43 % 1) && !isNaN(data43)) && data43 !== null) {
            let err60 = { instancePath: instancePath + "/settings/preAnswerRingTime", schemaPath: "#/properties/settings/properties/preAnswerRingTime/type", keyword: "type", params: { type: schema43.properties.settings.properties.preAnswerRingTime.type }, message: "must be integer,null" };
            vErrors === null ? vErrors = [err60] : vErrors.push(err60), errors++;
          }
          if (typeof data43 == "number") {
            if (data43 > 60 || isNaN(data43)) {
              let err61 = { instancePath: instancePath + "/settings/preAnswerRingTime", schemaPath: "#/properties/settings/properties/preAnswerRingTime/maximum", keyword: "maximum", params: { comparison: "<=", limit: 60 }, message: "must be <= 60" };
              vErrors === null ? vErrors = [err61] : vErrors.push(err61), errors++;
            }
            if (data43 < 1 || isNaN(data43)) {
              let err62 = { instancePath: instancePath + "/settings/preAnswerRingTime", schemaPath: "#/properties/settings/properties/preAnswerRingTime/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err62] : vErrors.push(err62), errors++;
            }
          }
        }
        if (data5.preAnswerSkipProcessingResults !== void 0 && typeof data5.preAnswerSkipProcessingResults != "boolean") {
          let err63 = { instancePath: instancePath + "/settings/preAnswerSkipProcessingResults", schemaPath: "#/properties/settings/properties/preAnswerSkipProcessingResults/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err63] : vErrors.push(err63), errors++;
        }
      } else {
        let err64 = { instancePath: instancePath + "/settings", schemaPath: "#/properties/settings/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err64] : vErrors.push(err64), errors++;
      }
    }
    if (data.skills !== void 0) {
      let data45 = data.skills;
      if (Array.isArray(data45)) {
        let len2 = data45.length;
        for (let i2 = 0; i2 < len2; i2++) {
          let data46 = data45[i2];
          if (data46 && typeof data46 == "object" && !Array.isArray(data46)) {
            if (data46.slug === void 0) {
              let err65 = { instancePath: instancePath + "/skills/" + i2, schemaPath: "#/properties/skills/items/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
              vErrors === null ? vErrors = [err65] : vErrors.push(err65), errors++;
            }
            if (data46.instructions === void 0) {
              let err66 = { instancePath: instancePath + "/skills/" + i2, schemaPath: "#/properties/skills/items/required", keyword: "required", params: { missingProperty: "instructions" }, message: "must have required property 'instructions'" };
              vErrors === null ? vErrors = [err66] : vErrors.push(err66), errors++;
            }
            for (let key2 in data46)
              if (!(key2 === "slug" || key2 === "instructions")) {
                let err67 = { instancePath: instancePath + "/skills/" + i2, schemaPath: "#/properties/skills/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err67] : vErrors.push(err67), errors++;
              }
            if (data46.slug !== void 0) {
              let data47 = data46.slug;
              if (typeof data47 == "string") {
                if (func2(data47) < 1) {
                  let err68 = { instancePath: instancePath + "/skills/" + i2 + "/slug", schemaPath: "#/properties/skills/items/properties/slug/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err68] : vErrors.push(err68), errors++;
                }
              } else {
                let err69 = { instancePath: instancePath + "/skills/" + i2 + "/slug", schemaPath: "#/properties/skills/items/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err69] : vErrors.push(err69), errors++;
              }
            }
            if (data46.instructions !== void 0 && typeof data46.instructions != "string") {
              let err70 = { instancePath: instancePath + "/skills/" + i2 + "/instructions", schemaPath: "#/properties/skills/items/properties/instructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err70] : vErrors.push(err70), errors++;
            }
          } else {
            let err71 = { instancePath: instancePath + "/skills/" + i2, schemaPath: "#/properties/skills/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err71] : vErrors.push(err71), errors++;
          }
        }
      } else {
        let err72 = { instancePath: instancePath + "/skills", schemaPath: "#/properties/skills/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err72] : vErrors.push(err72), errors++;
      }
    }
    if (data.apps !== void 0) {
      let data49 = data.apps;
      if (Array.isArray(data49)) {
        let len3 = data49.length;
        for (let i3 = 0; i3 < len3; i3++) {
          let data50 = data49[i3];
          if (data50 && typeof data50 == "object" && !Array.isArray(data50)) {
            if (data50.appId === void 0) {
              let err73 = { instancePath: instancePath + "/apps/" + i3, schemaPath: "#/properties/apps/items/required", keyword: "required", params: { missingProperty: "appId" }, message: "must have required property 'appId'" };
              vErrors === null ? vErrors = [err73] : vErrors.push(err73), errors++;
            }
            if (data50.version === void 0) {
              let err74 = { instancePath: instancePath + "/apps/" + i3, schemaPath: "#/properties/apps/items/required", keyword: "required", params: { missingProperty: "version" }, message: "must have required property 'version'" };
              vErrors === null ? vErrors = [err74] : vErrors.push(err74), errors++;
            }
            if (data50.instructions === void 0) {
              let err75 = { instancePath: instancePath + "/apps/" + i3, schemaPath: "#/properties/apps/items/required", keyword: "required", params: { missingProperty: "instructions" }, message: "must have required property 'instructions'" };
              vErrors === null ? vErrors = [err75] : vErrors.push(err75), errors++;
            }
            for (let key3 in data50)
              if (!(key3 === "appId" || key3 === "version" || key3 === "instructions")) {
                let err76 = { instancePath: instancePath + "/apps/" + i3, schemaPath: "#/properties/apps/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err76] : vErrors.push(err76), errors++;
              }
            if (data50.appId !== void 0) {
              let data51 = data50.appId;
              if (typeof data51 == "string") {
                if (func2(data51) < 1) {
                  let err77 = { instancePath: instancePath + "/apps/" + i3 + "/appId", schemaPath: "#/properties/apps/items/properties/appId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err77] : vErrors.push(err77), errors++;
                }
              } else {
                let err78 = { instancePath: instancePath + "/apps/" + i3 + "/appId", schemaPath: "#/properties/apps/items/properties/appId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err78] : vErrors.push(err78), errors++;
              }
            }
            if (data50.version !== void 0 && typeof data50.version != "string") {
              let err79 = { instancePath: instancePath + "/apps/" + i3 + "/version", schemaPath: "#/properties/apps/items/properties/version/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err79] : vErrors.push(err79), errors++;
            }
            if (data50.instructions !== void 0 && typeof data50.instructions != "string") {
              let err80 = { instancePath: instancePath + "/apps/" + i3 + "/instructions", schemaPath: "#/properties/apps/items/properties/instructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err80] : vErrors.push(err80), errors++;
            }
          } else {
            let err81 = { instancePath: instancePath + "/apps/" + i3, schemaPath: "#/properties/apps/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err81] : vErrors.push(err81), errors++;
          }
        }
      } else {
        let err82 = { instancePath: instancePath + "/apps", schemaPath: "#/properties/apps/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err82] : vErrors.push(err82), errors++;
      }
    }
    if (data.backgroundAudio !== void 0) {
      let data54 = data.backgroundAudio, _errs106 = errors, valid12 = !1, _errs107 = errors;
      if (typeof data54 != "string") {
        let err83 = { instancePath: instancePath + "/backgroundAudio", schemaPath: "#/properties/backgroundAudio/anyOf/0/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err83] : vErrors.push(err83), errors++;
      }
      var _valid0 = _errs107 === errors;
      valid12 = valid12 || _valid0;
      let _errs109 = errors;
      if (data54 && typeof data54 == "object" && !Array.isArray(data54)) {
        if (data54.url === void 0) {
          let err84 = { instancePath: instancePath + "/backgroundAudio", schemaPath: "#/properties/backgroundAudio/anyOf/1/required", keyword: "required", params: { missingProperty: "url" }, message: "must have required property 'url'" };
          vErrors === null ? vErrors = [err84] : vErrors.push(err84), errors++;
        }
        for (let key4 in data54)
          if (!(key4 === "url" || key4 === "loop" || key4 === "gain" || key4 === "startAfterGreeting" || key4 === "track")) {
            let err85 = { instancePath: instancePath + "/backgroundAudio", schemaPath: "#/properties/backgroundAudio/anyOf/1/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err85] : vErrors.push(err85), errors++;
          }
        if (data54.url !== void 0 && typeof data54.url != "string") {
          let err86 = { instancePath: instancePath + "/backgroundAudio/url", schemaPath: "#/properties/backgroundAudio/anyOf/1/properties/url/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err86] : vErrors.push(err86), errors++;
        }
        if (data54.loop !== void 0 && typeof data54.loop != "boolean") {
          let err87 = { instancePath: instancePath + "/backgroundAudio/loop", schemaPath: "#/properties/backgroundAudio/anyOf/1/properties/loop/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err87] : vErrors.push(err87), errors++;
        }
        if (data54.gain !== void 0) {
          let data57 = data54.gain;
          if (!(typeof data57 == "number" && !(data57 % 1) && !isNaN(data57))) {
            let err88 = { instancePath: instancePath + "/backgroundAudio/gain", schemaPath: "#/properties/backgroundAudio/anyOf/1/properties/gain/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err88] : vErrors.push(err88), errors++;
          }
        }
        if (data54.startAfterGreeting !== void 0 && typeof data54.startAfterGreeting != "boolean") {
          let err89 = { instancePath: instancePath + "/backgroundAudio/startAfterGreeting", schemaPath: "#/properties/backgroundAudio/anyOf/1/properties/startAfterGreeting/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err89] : vErrors.push(err89), errors++;
        }
        if (data54.track !== void 0) {
          let data59 = data54.track;
          if (!(data59 === "bg" || data59 === "fx")) {
            let err90 = { instancePath: instancePath + "/backgroundAudio/track", schemaPath: "#/properties/backgroundAudio/anyOf/1/properties/track/enum", keyword: "enum", params: { allowedValues: schema43.properties.backgroundAudio.anyOf[1].properties.track.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err90] : vErrors.push(err90), errors++;
          }
        }
      } else {
        let err91 = { instancePath: instancePath + "/backgroundAudio", schemaPath: "#/properties/backgroundAudio/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err91] : vErrors.push(err91), errors++;
      }
      var _valid0 = _errs109 === errors;
      if (valid12 = valid12 || _valid0, valid12)
        errors = _errs106, vErrors !== null && (_errs106 ? vErrors.length = _errs106 : vErrors = null);
      else {
        let err92 = { instancePath: instancePath + "/backgroundAudio", schemaPath: "#/properties/backgroundAudio/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        vErrors === null ? vErrors = [err92] : vErrors.push(err92), errors++;
      }
    }
    if (data.transferRules !== void 0) {
      let data60 = data.transferRules;
      if (data60 && typeof data60 == "object" && !Array.isArray(data60)) {
        for (let key5 in data60)
          if (!func1.call(schema43.properties.transferRules.properties, key5)) {
            let err93 = { instancePath: instancePath + "/transferRules", schemaPath: "#/properties/transferRules/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err93] : vErrors.push(err93), errors++;
          }
        if (data60.cnamAutoRejectRegex !== void 0) {
          let data61 = data60.cnamAutoRejectRegex;
          if (typeof data61 != "string" && data61 !== null) {
            let err94 = { instancePath: instancePath + "/transferRules/cnamAutoRejectRegex", schemaPath: "#/properties/transferRules/properties/cnamAutoRejectRegex/type", keyword: "type", params: { type: schema43.properties.transferRules.properties.cnamAutoRejectRegex.type }, message: "must be string,null" };
            vErrors === null ? vErrors = [err94] : vErrors.push(err94), errors++;
          }
        }
        if (data60.cnamAutoRejectCode !== void 0) {
          let data62 = data60.cnamAutoRejectCode;
          if (!(typeof data62 == "number" && !(data62 % 1) && !isNaN(data62))) {
            let err95 = { instancePath: instancePath + "/transferRules/cnamAutoRejectCode", schemaPath: "#/properties/transferRules/properties/cnamAutoRejectCode/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err95] : vErrors.push(err95), errors++;
          }
          if (typeof data62 == "number") {
            if (data62 > 699 || isNaN(data62)) {
              let err96 = { instancePath: instancePath + "/transferRules/cnamAutoRejectCode", schemaPath: "#/properties/transferRules/properties/cnamAutoRejectCode/maximum", keyword: "maximum", params: { comparison: "<=", limit: 699 }, message: "must be <= 699" };
              vErrors === null ? vErrors = [err96] : vErrors.push(err96), errors++;
            }
            if (data62 < 400 || isNaN(data62)) {
              let err97 = { instancePath: instancePath + "/transferRules/cnamAutoRejectCode", schemaPath: "#/properties/transferRules/properties/cnamAutoRejectCode/minimum", keyword: "minimum", params: { comparison: ">=", limit: 400 }, message: "must be >= 400" };
              vErrors === null ? vErrors = [err97] : vErrors.push(err97), errors++;
            }
          }
        }
        if (data60.cnamAutoTransferRegex !== void 0) {
          let data63 = data60.cnamAutoTransferRegex;
          if (typeof data63 != "string" && data63 !== null) {
            let err98 = { instancePath: instancePath + "/transferRules/cnamAutoTransferRegex", schemaPath: "#/properties/transferRules/properties/cnamAutoTransferRegex/type", keyword: "type", params: { type: schema43.properties.transferRules.properties.cnamAutoTransferRegex.type }, message: "must be string,null" };
            vErrors === null ? vErrors = [err98] : vErrors.push(err98), errors++;
          }
        }
        if (data60.cnamAutoTransferDestination !== void 0) {
          let data64 = data60.cnamAutoTransferDestination;
          if (typeof data64 != "string" && data64 !== null) {
            let err99 = { instancePath: instancePath + "/transferRules/cnamAutoTransferDestination", schemaPath: "#/properties/transferRules/properties/cnamAutoTransferDestination/type", keyword: "type", params: { type: schema43.properties.transferRules.properties.cnamAutoTransferDestination.type }, message: "must be string,null" };
            vErrors === null ? vErrors = [err99] : vErrors.push(err99), errors++;
          }
        }
        if (data60.confirmTransfers !== void 0 && typeof data60.confirmTransfers != "boolean") {
          let err100 = { instancePath: instancePath + "/transferRules/confirmTransfers", schemaPath: "#/properties/transferRules/properties/confirmTransfers/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err100] : vErrors.push(err100), errors++;
        }
        if (data60.monitorTransfers !== void 0 && typeof data60.monitorTransfers != "boolean") {
          let err101 = { instancePath: instancePath + "/transferRules/monitorTransfers", schemaPath: "#/properties/transferRules/properties/monitorTransfers/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err101] : vErrors.push(err101), errors++;
        }
        if (data60.attendedTransfers !== void 0 && typeof data60.attendedTransfers != "boolean") {
          let err102 = { instancePath: instancePath + "/transferRules/attendedTransfers", schemaPath: "#/properties/transferRules/properties/attendedTransfers/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err102] : vErrors.push(err102), errors++;
        }
        if (data60.attendedTransferBridgeTrigger !== void 0) {
          let data68 = data60.attendedTransferBridgeTrigger;
          if (typeof data68 != "string" && data68 !== null) {
            let err103 = { instancePath: instancePath + "/transferRules/attendedTransferBridgeTrigger", schemaPath: "#/properties/transferRules/properties/attendedTransferBridgeTrigger/type", keyword: "type", params: { type: schema43.properties.transferRules.properties.attendedTransferBridgeTrigger.type }, message: "must be string,null" };
            vErrors === null ? vErrors = [err103] : vErrors.push(err103), errors++;
          }
        }
        if (data60.transferConfirmTimeout !== void 0) {
          let data69 = data60.transferConfirmTimeout;
          if (!(typeof data69 == "number" && !(data69 % 1) && !isNaN(data69))) {
            let err104 = { instancePath: instancePath + "/transferRules/transferConfirmTimeout", schemaPath: "#/properties/transferRules/properties/transferConfirmTimeout/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err104] : vErrors.push(err104), errors++;
          }
          if (typeof data69 == "number" && (data69 < 0 || isNaN(data69))) {
            let err105 = { instancePath: instancePath + "/transferRules/transferConfirmTimeout", schemaPath: "#/properties/transferRules/properties/transferConfirmTimeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
            vErrors === null ? vErrors = [err105] : vErrors.push(err105), errors++;
          }
        }
      } else {
        let err106 = { instancePath: instancePath + "/transferRules", schemaPath: "#/properties/transferRules/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err106] : vErrors.push(err106), errors++;
      }
    }
    if (data.extraSettings !== void 0) {
      let data70 = data.extraSettings;
      if (!(data70 && typeof data70 == "object" && !Array.isArray(data70))) {
        let err107 = { instancePath: instancePath + "/extraSettings", schemaPath: "#/properties/extraSettings/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err107] : vErrors.push(err107), errors++;
      }
    }
    if (data.target !== void 0) {
      let data71 = data.target;
      if (data71 && typeof data71 == "object" && !Array.isArray(data71)) {
        for (let key6 in data71)
          if (!(key6 === "agentId" || key6 === "campaignId" || key6 === "token" || key6 === "query")) {
            let err108 = { instancePath: instancePath + "/target", schemaPath: "#/properties/target/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err108] : vErrors.push(err108), errors++;
          }
        if (data71.agentId !== void 0) {
          let data72 = data71.agentId;
          if (typeof data72 == "string") {
            if (func2(data72) < 1) {
              let err109 = { instancePath: instancePath + "/target/agentId", schemaPath: "#/properties/target/properties/agentId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err109] : vErrors.push(err109), errors++;
            }
          } else {
            let err110 = { instancePath: instancePath + "/target/agentId", schemaPath: "#/properties/target/properties/agentId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err110] : vErrors.push(err110), errors++;
          }
        }
        if (data71.campaignId !== void 0) {
          let data73 = data71.campaignId;
          if (typeof data73 == "string") {
            if (func2(data73) < 1) {
              let err111 = { instancePath: instancePath + "/target/campaignId", schemaPath: "#/properties/target/properties/campaignId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err111] : vErrors.push(err111), errors++;
            }
          } else {
            let err112 = { instancePath: instancePath + "/target/campaignId", schemaPath: "#/properties/target/properties/campaignId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err112] : vErrors.push(err112), errors++;
          }
        }
        if (data71.token !== void 0 && typeof data71.token != "string") {
          let err113 = { instancePath: instancePath + "/target/token", schemaPath: "#/properties/target/properties/token/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err113] : vErrors.push(err113), errors++;
        }
        if (data71.query !== void 0) {
          let data75 = data71.query;
          if (data75 && typeof data75 == "object" && !Array.isArray(data75))
            for (let key7 in data75) {
              let data76 = data75[key7];
              if (typeof data76 != "string" && !(typeof data76 == "number" && !(data76 % 1) && !isNaN(data76)) && typeof data76 != "boolean") {
                let err114 = { instancePath: instancePath + "/target/query/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/target/properties/query/additionalProperties/type", keyword: "type", params: { type: schema43.properties.target.properties.query.additionalProperties.type }, message: "must be string,integer,boolean" };
                vErrors === null ? vErrors = [err114] : vErrors.push(err114), errors++;
              }
            }
          else {
            let err115 = { instancePath: instancePath + "/target/query", schemaPath: "#/properties/target/properties/query/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err115] : vErrors.push(err115), errors++;
          }
        }
      } else {
        let err116 = { instancePath: instancePath + "/target", schemaPath: "#/properties/target/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err116] : vErrors.push(err116), errors++;
      }
    }
    if (data.environments !== void 0) {
      let data77 = data.environments;
      if (data77 && typeof data77 == "object" && !Array.isArray(data77))
        for (let key8 in data77) {
          let data78 = data77[key8];
          if (data78 && typeof data78 == "object" && !Array.isArray(data78)) {
            for (let key9 in data78)
              if (!(key9 === "settings" || key9 === "skills" || key9 === "apps" || key9 === "backgroundAudio" || key9 === "transferRules" || key9 === "extraSettings" || key9 === "target")) {
                let err117 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/environments/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key9 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err117] : vErrors.push(err117), errors++;
              }
            if (data78.settings !== void 0) {
              let data79 = data78.settings;
              if (data79 && typeof data79 == "object" && !Array.isArray(data79)) {
                if (data79.title === void 0) {
                  let err118 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings", schemaPath: "#/properties/environments/additionalProperties/properties/settings/required", keyword: "required", params: { missingProperty: "title" }, message: "must have required property 'title'" };
                  vErrors === null ? vErrors = [err118] : vErrors.push(err118), errors++;
                }
                if (data79.description === void 0) {
                  let err119 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings", schemaPath: "#/properties/environments/additionalProperties/properties/settings/required", keyword: "required", params: { missingProperty: "description" }, message: "must have required property 'description'" };
                  vErrors === null ? vErrors = [err119] : vErrors.push(err119), errors++;
                }
                for (let key10 in data79)
                  if (!func1.call(schema43.properties.environments.additionalProperties.properties.settings.properties, key10)) {
                    let err120 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings", schemaPath: "#/properties/environments/additionalProperties/properties/settings/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key10 }, message: "must NOT have additional properties" };
                    vErrors === null ? vErrors = [err120] : vErrors.push(err120), errors++;
                  }
                if (data79.type !== void 0 && data79.type !== "chatAgent") {
                  let err121 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/type", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/type/const", keyword: "const", params: { allowedValue: "chatAgent" }, message: "must be equal to constant" };
                  vErrors === null ? vErrors = [err121] : vErrors.push(err121), errors++;
                }
                if (data79.title !== void 0 && typeof data79.title != "string") {
                  let err122 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/title", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/title/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err122] : vErrors.push(err122), errors++;
                }
                if (data79.description !== void 0 && typeof data79.description != "string") {
                  let err123 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/description", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err123] : vErrors.push(err123), errors++;
                }
                if (data79.welcomeMessage !== void 0 && typeof data79.welcomeMessage != "string") {
                  let err124 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/welcomeMessage", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/welcomeMessage/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err124] : vErrors.push(err124), errors++;
                }
                if (data79.links !== void 0) {
                  let data84 = data79.links;
                  if (Array.isArray(data84)) {
                    let len4 = data84.length;
                    for (let i4 = 0; i4 < len4; i4++)
                      if (typeof data84[i4] != "string") {
                        let err125 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/links/" + i4, schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/links/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        vErrors === null ? vErrors = [err125] : vErrors.push(err125), errors++;
                      }
                  } else {
                    let err126 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/links", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/links/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                    vErrors === null ? vErrors = [err126] : vErrors.push(err126), errors++;
                  }
                }
                if (data79.actions !== void 0) {
                  let data86 = data79.actions;
                  if (Array.isArray(data86)) {
                    let len5 = data86.length;
                    for (let i5 = 0; i5 < len5; i5++)
                      if (typeof data86[i5] != "string") {
                        let err127 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/actions/" + i5, schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/actions/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        vErrors === null ? vErrors = [err127] : vErrors.push(err127), errors++;
                      }
                  } else {
                    let err128 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/actions", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/actions/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                    vErrors === null ? vErrors = [err128] : vErrors.push(err128), errors++;
                  }
                }
                if (data79.timezone !== void 0 && typeof data79.timezone != "string") {
                  let err129 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/timezone", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/timezone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err129] : vErrors.push(err129), errors++;
                }
                if (data79.agentVoice !== void 0 && typeof data79.agentVoice != "string") {
                  let err130 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/agentVoice", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/agentVoice/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err130] : vErrors.push(err130), errors++;
                }
                if (data79.agentLang !== void 0) {
                  let data90 = data79.agentLang;
                  if (!(data90 === "en-US" || data90 === "multi" || data90 === "es-MX" || data90 === "es-ES" || data90 === "es-US")) {
                    let err131 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/agentLang", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/agentLang/enum", keyword: "enum", params: { allowedValues: schema43.properties.environments.additionalProperties.properties.settings.properties.agentLang.enum }, message: "must be equal to one of the allowed values" };
                    vErrors === null ? vErrors = [err131] : vErrors.push(err131), errors++;
                  }
                }
                if (data79.agentInstructions !== void 0 && typeof data79.agentInstructions != "string") {
                  let err132 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/agentInstructions", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/agentInstructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err132] : vErrors.push(err132), errors++;
                }
                if (data79.publicInstructions !== void 0 && typeof data79.publicInstructions != "string") {
                  let err133 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/publicInstructions", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/publicInstructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err133] : vErrors.push(err133), errors++;
                }
                if (data79.adminInstructions !== void 0 && typeof data79.adminInstructions != "string") {
                  let err134 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/adminInstructions", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/adminInstructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err134] : vErrors.push(err134), errors++;
                }
                if (data79.heartbeatInstructions !== void 0 && typeof data79.heartbeatInstructions != "string") {
                  let err135 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/heartbeatInstructions", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/heartbeatInstructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err135] : vErrors.push(err135), errors++;
                }
                if (data79.heartbeatEvery !== void 0 && typeof data79.heartbeatEvery != "string") {
                  let err136 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/heartbeatEvery", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/heartbeatEvery/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err136] : vErrors.push(err136), errors++;
                }
                if (data79.agentModel !== void 0 && typeof data79.agentModel != "string") {
                  let err137 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/agentModel", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/agentModel/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err137] : vErrors.push(err137), errors++;
                }
                if (data79.agentThinking !== void 0) {
                  let data97 = data79.agentThinking;
                  if (!(data97 === "low" || data97 === null)) {
                    let err138 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/agentThinking", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/agentThinking/enum", keyword: "enum", params: { allowedValues: schema43.properties.environments.additionalProperties.properties.settings.properties.agentThinking.enum }, message: "must be equal to one of the allowed values" };
                    vErrors === null ? vErrors = [err138] : vErrors.push(err138), errors++;
                  }
                }
                if (data79.agentThinkingModel !== void 0 && typeof data79.agentThinkingModel != "string") {
                  let err139 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/agentThinkingModel", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/agentThinkingModel/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err139] : vErrors.push(err139), errors++;
                }
                if (data79.postConvoForceThinking !== void 0 && typeof data79.postConvoForceThinking != "boolean") {
                  let err140 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/postConvoForceThinking", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/postConvoForceThinking/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  vErrors === null ? vErrors = [err140] : vErrors.push(err140), errors++;
                }
                if (data79.agentS2SEngine !== void 0) {
                  let data100 = data79.agentS2SEngine;
                  if (!(data100 === "s2s_a" || data100 === "s2s_b" || data100 === null)) {
                    let err141 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/agentS2SEngine", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/agentS2SEngine/enum", keyword: "enum", params: { allowedValues: schema43.properties.environments.additionalProperties.properties.settings.properties.agentS2SEngine.enum }, message: "must be equal to one of the allowed values" };
                    vErrors === null ? vErrors = [err141] : vErrors.push(err141), errors++;
                  }
                }
                if (data79.agentSttEngine !== void 0) {
                  let data101 = data79.agentSttEngine;
                  if (!(data101 === "stt_a" || data101 === "stt_b" || data101 === "stt_b_flux" || data101 === "stt_c")) {
                    let err142 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/agentSttEngine", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/agentSttEngine/enum", keyword: "enum", params: { allowedValues: schema43.properties.environments.additionalProperties.properties.settings.properties.agentSttEngine.enum }, message: "must be equal to one of the allowed values" };
                    vErrors === null ? vErrors = [err142] : vErrors.push(err142), errors++;
                  }
                }
                if (data79.agentSttSmartFormatting !== void 0 && typeof data79.agentSttSmartFormatting != "boolean") {
                  let err143 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/agentSttSmartFormatting", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/agentSttSmartFormatting/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  vErrors === null ? vErrors = [err143] : vErrors.push(err143), errors++;
                }
                if (data79.postAnswerDtmf !== void 0 && typeof data79.postAnswerDtmf != "string") {
                  let err144 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/postAnswerDtmf", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/postAnswerDtmf/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err144] : vErrors.push(err144), errors++;
                }
                if (data79.waitOnAnswer !== void 0) {
                  let data104 = data79.waitOnAnswer;
                  if (!(typeof data104 == "number" && !(data104 % 1) && !isNaN(data104))) {
                    let err145 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/waitOnAnswer", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/waitOnAnswer/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    vErrors === null ? vErrors = [err145] : vErrors.push(err145), errors++;
                  }
                  if (typeof data104 == "number" && (data104 < 0 || isNaN(data104))) {
                    let err146 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/waitOnAnswer", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/waitOnAnswer/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                    vErrors === null ? vErrors = [err146] : vErrors.push(err146), errors++;
                  }
                }
                if (data79.interruptionWordCount !== void 0) {
                  let data105 = data79.interruptionWordCount;
                  if (!(typeof data105 == "number" && !(data105 % 1) && !isNaN(data105))) {
                    let err147 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/interruptionWordCount", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/interruptionWordCount/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    vErrors === null ? vErrors = [err147] : vErrors.push(err147), errors++;
                  }
                  if (typeof data105 == "number" && (data105 < 0 || isNaN(data105))) {
                    let err148 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/interruptionWordCount", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/interruptionWordCount/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                    vErrors === null ? vErrors = [err148] : vErrors.push(err148), errors++;
                  }
                }
                if (data79.interruptionMinimumSpeakingTime !== void 0) {
                  let data106 = data79.interruptionMinimumSpeakingTime;
                  if (!(typeof data106 == "number" && !(data106 % 1) && !isNaN(data106))) {
                    let err149 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/interruptionMinimumSpeakingTime", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/interruptionMinimumSpeakingTime/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    vErrors === null ? vErrors = [err149] : vErrors.push(err149), errors++;
                  }
                  if (typeof data106 == "number" && (data106 < 0 || isNaN(data106))) {
                    let err150 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/interruptionMinimumSpeakingTime", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/interruptionMinimumSpeakingTime/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                    vErrors === null ? vErrors = [err150] : vErrors.push(err150), errors++;
                  }
                }
                if (data79.speakingTimeout !== void 0) {
                  let data107 = data79.speakingTimeout;
                  if (!(typeof data107 == "number" && !(data107 % 1) && !isNaN(data107))) {
                    let err151 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/speakingTimeout", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/speakingTimeout/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    vErrors === null ? vErrors = [err151] : vErrors.push(err151), errors++;
                  }
                  if (typeof data107 == "number" && (data107 < 0 || isNaN(data107))) {
                    let err152 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/speakingTimeout", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/speakingTimeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                    vErrors === null ? vErrors = [err152] : vErrors.push(err152), errors++;
                  }
                }
                if (data79.speechProcessingDelay !== void 0) {
                  let data108 = data79.speechProcessingDelay;
                  if (!(typeof data108 == "number" && !(data108 % 1) && !isNaN(data108))) {
                    let err153 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/speechProcessingDelay", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/speechProcessingDelay/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    vErrors === null ? vErrors = [err153] : vErrors.push(err153), errors++;
                  }
                  if (typeof data108 == "number" && (data108 < 0 || isNaN(data108))) {
                    let err154 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/speechProcessingDelay", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/speechProcessingDelay/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                    vErrors === null ? vErrors = [err154] : vErrors.push(err154), errors++;
                  }
                }
                if (data79.speechProcessingDelayInterruptionStep !== void 0) {
                  let data109 = data79.speechProcessingDelayInterruptionStep;
                  if (!(typeof data109 == "number" && !(data109 % 1) && !isNaN(data109))) {
                    let err155 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/speechProcessingDelayInterruptionStep", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/speechProcessingDelayInterruptionStep/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    vErrors === null ? vErrors = [err155] : vErrors.push(err155), errors++;
                  }
                  if (typeof data109 == "number" && (data109 < 0 || isNaN(data109))) {
                    let err156 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/speechProcessingDelayInterruptionStep", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/speechProcessingDelayInterruptionStep/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                    vErrors === null ? vErrors = [err156] : vErrors.push(err156), errors++;
                  }
                }
                if (data79.speechProcessingDelayMaxMultiplier !== void 0) {
                  let data110 = data79.speechProcessingDelayMaxMultiplier;
                  if (!(typeof data110 == "number" && !(data110 % 1) && !isNaN(data110))) {
                    let err157 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/speechProcessingDelayMaxMultiplier", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/speechProcessingDelayMaxMultiplier/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    vErrors === null ? vErrors = [err157] : vErrors.push(err157), errors++;
                  }
                  if (typeof data110 == "number" && (data110 < 0 || isNaN(data110))) {
                    let err158 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/speechProcessingDelayMaxMultiplier", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/speechProcessingDelayMaxMultiplier/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                    vErrors === null ? vErrors = [err158] : vErrors.push(err158), errors++;
                  }
                }
                if (data79.callerResponseTimeout !== void 0) {
                  let data111 = data79.callerResponseTimeout;
                  if (!(typeof data111 == "number" && !(data111 % 1) && !isNaN(data111))) {
                    let err159 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/callerResponseTimeout", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/callerResponseTimeout/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    vErrors === null ? vErrors = [err159] : vErrors.push(err159), errors++;
                  }
                  if (typeof data111 == "number" && (data111 < 0 || isNaN(data111))) {
                    let err160 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/callerResponseTimeout", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/callerResponseTimeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                    vErrors === null ? vErrors = [err160] : vErrors.push(err160), errors++;
                  }
                }
                if (data79.callerResponseTimeoutHangupCounter !== void 0) {
                  let data112 = data79.callerResponseTimeoutHangupCounter;
                  if (!(typeof data112 == "number" && !(data112 % 1) && !isNaN(data112))) {
                    let err161 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/callerResponseTimeoutHangupCounter", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/callerResponseTimeoutHangupCounter/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    vErrors === null ? vErrors = [err161] : vErrors.push(err161), errors++;
                  }
                  if (typeof data112 == "number" && (data112 < 0 || isNaN(data112))) {
                    let err162 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/callerResponseTimeoutHangupCounter", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/callerResponseTimeoutHangupCounter/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                    vErrors === null ? vErrors = [err162] : vErrors.push(err162), errors++;
                  }
                }
                if (data79.noContactInjection !== void 0 && typeof data79.noContactInjection != "boolean") {
                  let err163 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/noContactInjection", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/noContactInjection/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  vErrors === null ? vErrors = [err163] : vErrors.push(err163), errors++;
                }
                if (data79.noConvoHistory !== void 0 && typeof data79.noConvoHistory != "boolean") {
                  let err164 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/noConvoHistory", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/noConvoHistory/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  vErrors === null ? vErrors = [err164] : vErrors.push(err164), errors++;
                }
                if (data79.autoRecordingNotification !== void 0) {
                  let data115 = data79.autoRecordingNotification;
                  if (!(data115 === "true" || data115 === "false" || data115 === "always")) {
                    let err165 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/autoRecordingNotification", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/autoRecordingNotification/enum", keyword: "enum", params: { allowedValues: schema43.properties.environments.additionalProperties.properties.settings.properties.autoRecordingNotification.enum }, message: "must be equal to one of the allowed values" };
                    vErrors === null ? vErrors = [err165] : vErrors.push(err165), errors++;
                  }
                }
                if (data79.recordingNotificationPhrase !== void 0 && typeof data79.recordingNotificationPhrase != "string") {
                  let err166 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/recordingNotificationPhrase", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/recordingNotificationPhrase/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err166] : vErrors.push(err166), errors++;
                }
                if (data79.preAnswerRingTime !== void 0) {
                  let data117 = data79.preAnswerRingTime;
                  if (!(typeof data117 == "number" && !(data117 % 1) && !isNaN(data117)) && data117 !== null) {
                    let err167 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/preAnswerRingTime", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/preAnswerRingTime/type", keyword: "type", params: { type: schema43.properties.environments.additionalProperties.properties.settings.properties.preAnswerRingTime.type }, message: "must be integer,null" };
                    vErrors === null ? vErrors = [err167] : vErrors.push(err167), errors++;
                  }
                  if (typeof data117 == "number") {
                    if (data117 > 60 || isNaN(data117)) {
                      let err168 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/preAnswerRingTime", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/preAnswerRingTime/maximum", keyword: "maximum", params: { comparison: "<=", limit: 60 }, message: "must be <= 60" };
                      vErrors === null ? vErrors = [err168] : vErrors.push(err168), errors++;
                    }
                    if (data117 < 1 || isNaN(data117)) {
                      let err169 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/preAnswerRingTime", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/preAnswerRingTime/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                      vErrors === null ? vErrors = [err169] : vErrors.push(err169), errors++;
                    }
                  }
                }
                if (data79.preAnswerSkipProcessingResults !== void 0 && typeof data79.preAnswerSkipProcessingResults != "boolean") {
                  let err170 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/preAnswerSkipProcessingResults", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/preAnswerSkipProcessingResults/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  vErrors === null ? vErrors = [err170] : vErrors.push(err170), errors++;
                }
              } else {
                let err171 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings", schemaPath: "#/properties/environments/additionalProperties/properties/settings/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err171] : vErrors.push(err171), errors++;
              }
            }
            if (data78.skills !== void 0) {
              let data119 = data78.skills;
              if (Array.isArray(data119)) {
                let len6 = data119.length;
                for (let i6 = 0; i6 < len6; i6++) {
                  let data120 = data119[i6];
                  if (data120 && typeof data120 == "object" && !Array.isArray(data120)) {
                    if (data120.slug === void 0) {
                      let err172 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/skills/" + i6, schemaPath: "#/properties/environments/additionalProperties/properties/skills/items/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
                      vErrors === null ? vErrors = [err172] : vErrors.push(err172), errors++;
                    }
                    if (data120.instructions === void 0) {
                      let err173 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/skills/" + i6, schemaPath: "#/properties/environments/additionalProperties/properties/skills/items/required", keyword: "required", params: { missingProperty: "instructions" }, message: "must have required property 'instructions'" };
                      vErrors === null ? vErrors = [err173] : vErrors.push(err173), errors++;
                    }
                    for (let key11 in data120)
                      if (!(key11 === "slug" || key11 === "instructions")) {
                        let err174 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/skills/" + i6, schemaPath: "#/properties/environments/additionalProperties/properties/skills/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key11 }, message: "must NOT have additional properties" };
                        vErrors === null ? vErrors = [err174] : vErrors.push(err174), errors++;
                      }
                    if (data120.slug !== void 0) {
                      let data121 = data120.slug;
                      if (typeof data121 == "string") {
                        if (func2(data121) < 1) {
                          let err175 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/skills/" + i6 + "/slug", schemaPath: "#/properties/environments/additionalProperties/properties/skills/items/properties/slug/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                          vErrors === null ? vErrors = [err175] : vErrors.push(err175), errors++;
                        }
                      } else {
                        let err176 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/skills/" + i6 + "/slug", schemaPath: "#/properties/environments/additionalProperties/properties/skills/items/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        vErrors === null ? vErrors = [err176] : vErrors.push(err176), errors++;
                      }
                    }
                    if (data120.instructions !== void 0 && typeof data120.instructions != "string") {
                      let err177 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/skills/" + i6 + "/instructions", schemaPath: "#/properties/environments/additionalProperties/properties/skills/items/properties/instructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err177] : vErrors.push(err177), errors++;
                    }
                  } else {
                    let err178 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/skills/" + i6, schemaPath: "#/properties/environments/additionalProperties/properties/skills/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    vErrors === null ? vErrors = [err178] : vErrors.push(err178), errors++;
                  }
                }
              } else {
                let err179 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/skills", schemaPath: "#/properties/environments/additionalProperties/properties/skills/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                vErrors === null ? vErrors = [err179] : vErrors.push(err179), errors++;
              }
            }
            if (data78.apps !== void 0) {
              let data123 = data78.apps;
              if (Array.isArray(data123)) {
                let len7 = data123.length;
                for (let i7 = 0; i7 < len7; i7++) {
                  let data124 = data123[i7];
                  if (data124 && typeof data124 == "object" && !Array.isArray(data124)) {
                    if (data124.appId === void 0) {
                      let err180 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/apps/" + i7, schemaPath: "#/properties/environments/additionalProperties/properties/apps/items/required", keyword: "required", params: { missingProperty: "appId" }, message: "must have required property 'appId'" };
                      vErrors === null ? vErrors = [err180] : vErrors.push(err180), errors++;
                    }
                    if (data124.version === void 0) {
                      let err181 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/apps/" + i7, schemaPath: "#/properties/environments/additionalProperties/properties/apps/items/required", keyword: "required", params: { missingProperty: "version" }, message: "must have required property 'version'" };
                      vErrors === null ? vErrors = [err181] : vErrors.push(err181), errors++;
                    }
                    if (data124.instructions === void 0) {
                      let err182 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/apps/" + i7, schemaPath: "#/properties/environments/additionalProperties/properties/apps/items/required", keyword: "required", params: { missingProperty: "instructions" }, message: "must have required property 'instructions'" };
                      vErrors === null ? vErrors = [err182] : vErrors.push(err182), errors++;
                    }
                    for (let key12 in data124)
                      if (!(key12 === "appId" || key12 === "version" || key12 === "instructions")) {
                        let err183 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/apps/" + i7, schemaPath: "#/properties/environments/additionalProperties/properties/apps/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key12 }, message: "must NOT have additional properties" };
                        vErrors === null ? vErrors = [err183] : vErrors.push(err183), errors++;
                      }
                    if (data124.appId !== void 0) {
                      let data125 = data124.appId;
                      if (typeof data125 == "string") {
                        if (func2(data125) < 1) {
                          let err184 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/apps/" + i7 + "/appId", schemaPath: "#/properties/environments/additionalProperties/properties/apps/items/properties/appId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                          vErrors === null ? vErrors = [err184] : vErrors.push(err184), errors++;
                        }
                      } else {
                        let err185 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/apps/" + i7 + "/appId", schemaPath: "#/properties/environments/additionalProperties/properties/apps/items/properties/appId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                        vErrors === null ? vErrors = [err185] : vErrors.push(err185), errors++;
                      }
                    }
                    if (data124.version !== void 0 && typeof data124.version != "string") {
                      let err186 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/apps/" + i7 + "/version", schemaPath: "#/properties/environments/additionalProperties/properties/apps/items/properties/version/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err186] : vErrors.push(err186), errors++;
                    }
                    if (data124.instructions !== void 0 && typeof data124.instructions != "string") {
                      let err187 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/apps/" + i7 + "/instructions", schemaPath: "#/properties/environments/additionalProperties/properties/apps/items/properties/instructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err187] : vErrors.push(err187), errors++;
                    }
                  } else {
                    let err188 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/apps/" + i7, schemaPath: "#/properties/environments/additionalProperties/properties/apps/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    vErrors === null ? vErrors = [err188] : vErrors.push(err188), errors++;
                  }
                }
              } else {
                let err189 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/apps", schemaPath: "#/properties/environments/additionalProperties/properties/apps/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                vErrors === null ? vErrors = [err189] : vErrors.push(err189), errors++;
              }
            }
            if (data78.backgroundAudio !== void 0) {
              let data128 = data78.backgroundAudio, _errs261 = errors, valid30 = !1, _errs262 = errors;
              if (typeof data128 != "string") {
                let err190 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/backgroundAudio", schemaPath: "#/properties/environments/additionalProperties/properties/backgroundAudio/anyOf/0/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err190] : vErrors.push(err190), errors++;
              }
              var _valid1 = _errs262 === errors;
              valid30 = valid30 || _valid1;
              let _errs264 = errors;
              if (data128 && typeof data128 == "object" && !Array.isArray(data128)) {
                if (data128.url === void 0) {
                  let err191 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/backgroundAudio", schemaPath: "#/properties/environments/additionalProperties/properties/backgroundAudio/anyOf/1/required", keyword: "required", params: { missingProperty: "url" }, message: "must have required property 'url'" };
                  vErrors === null ? vErrors = [err191] : vErrors.push(err191), errors++;
                }
                for (let key13 in data128)
                  if (!(key13 === "url" || key13 === "loop" || key13 === "gain" || key13 === "startAfterGreeting" || key13 === "track")) {
                    let err192 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/backgroundAudio", schemaPath: "#/properties/environments/additionalProperties/properties/backgroundAudio/anyOf/1/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key13 }, message: "must NOT have additional properties" };
                    vErrors === null ? vErrors = [err192] : vErrors.push(err192), errors++;
                  }
                if (data128.url !== void 0 && typeof data128.url != "string") {
                  let err193 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/backgroundAudio/url", schemaPath: "#/properties/environments/additionalProperties/properties/backgroundAudio/anyOf/1/properties/url/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err193] : vErrors.push(err193), errors++;
                }
                if (data128.loop !== void 0 && typeof data128.loop != "boolean") {
                  let err194 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/backgroundAudio/loop", schemaPath: "#/properties/environments/additionalProperties/properties/backgroundAudio/anyOf/1/properties/loop/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  vErrors === null ? vErrors = [err194] : vErrors.push(err194), errors++;
                }
                if (data128.gain !== void 0) {
                  let data131 = data128.gain;
                  if (!(typeof data131 == "number" && !(data131 % 1) && !isNaN(data131))) {
                    let err195 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/backgroundAudio/gain", schemaPath: "#/properties/environments/additionalProperties/properties/backgroundAudio/anyOf/1/properties/gain/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    vErrors === null ? vErrors = [err195] : vErrors.push(err195), errors++;
                  }
                }
                if (data128.startAfterGreeting !== void 0 && typeof data128.startAfterGreeting != "boolean") {
                  let err196 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/backgroundAudio/startAfterGreeting", schemaPath: "#/properties/environments/additionalProperties/properties/backgroundAudio/anyOf/1/properties/startAfterGreeting/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  vErrors === null ? vErrors = [err196] : vErrors.push(err196), errors++;
                }
                if (data128.track !== void 0) {
                  let data133 = data128.track;
                  if (!(data133 === "bg" || data133 === "fx")) {
                    let err197 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/backgroundAudio/track", schemaPath: "#/properties/environments/additionalProperties/properties/backgroundAudio/anyOf/1/properties/track/enum", keyword: "enum", params: { allowedValues: schema43.properties.environments.additionalProperties.properties.backgroundAudio.anyOf[1].properties.track.enum }, message: "must be equal to one of the allowed values" };
                    vErrors === null ? vErrors = [err197] : vErrors.push(err197), errors++;
                  }
                }
              } else {
                let err198 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/backgroundAudio", schemaPath: "#/properties/environments/additionalProperties/properties/backgroundAudio/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err198] : vErrors.push(err198), errors++;
              }
              var _valid1 = _errs264 === errors;
              if (valid30 = valid30 || _valid1, valid30)
                errors = _errs261, vErrors !== null && (_errs261 ? vErrors.length = _errs261 : vErrors = null);
              else {
                let err199 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/backgroundAudio", schemaPath: "#/properties/environments/additionalProperties/properties/backgroundAudio/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                vErrors === null ? vErrors = [err199] : vErrors.push(err199), errors++;
              }
            }
            if (data78.transferRules !== void 0) {
              let data134 = data78.transferRules;
              if (data134 && typeof data134 == "object" && !Array.isArray(data134)) {
                for (let key14 in data134)
                  if (!func1.call(schema43.properties.environments.additionalProperties.properties.transferRules.properties, key14)) {
                    let err200 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/transferRules", schemaPath: "#/properties/environments/additionalProperties/properties/transferRules/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key14 }, message: "must NOT have additional properties" };
                    vErrors === null ? vErrors = [err200] : vErrors.push(err200), errors++;
                  }
                if (data134.cnamAutoRejectRegex !== void 0) {
                  let data135 = data134.cnamAutoRejectRegex;
                  if (typeof data135 != "string" && data135 !== null) {
                    let err201 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/transferRules/cnamAutoRejectRegex", schemaPath: "#/properties/environments/additionalProperties/properties/transferRules/properties/cnamAutoRejectRegex/type", keyword: "type", params: { type: schema43.properties.environments.additionalProperties.properties.transferRules.properties.cnamAutoRejectRegex.type }, message: "must be string,null" };
                    vErrors === null ? vErrors = [err201] : vErrors.push(err201), errors++;
                  }
                }
                if (data134.cnamAutoRejectCode !== void 0) {
                  let data136 = data134.cnamAutoRejectCode;
                  if (!(typeof data136 == "number" && !(data136 % 1) && !isNaN(data136))) {
                    let err202 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/transferRules/cnamAutoRejectCode", schemaPath: "#/properties/environments/additionalProperties/properties/transferRules/properties/cnamAutoRejectCode/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    vErrors === null ? vErrors = [err202] : vErrors.push(err202), errors++;
                  }
                  if (typeof data136 == "number") {
                    if (data136 > 699 || isNaN(data136)) {
                      let err203 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/transferRules/cnamAutoRejectCode", schemaPath: "#/properties/environments/additionalProperties/properties/transferRules/properties/cnamAutoRejectCode/maximum", keyword: "maximum", params: { comparison: "<=", limit: 699 }, message: "must be <= 699" };
                      vErrors === null ? vErrors = [err203] : vErrors.push(err203), errors++;
                    }
                    if (data136 < 400 || isNaN(data136)) {
                      let err204 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/transferRules/cnamAutoRejectCode", schemaPath: "#/properties/environments/additionalProperties/properties/transferRules/properties/cnamAutoRejectCode/minimum", keyword: "minimum", params: { comparison: ">=", limit: 400 }, message: "must be >= 400" };
                      vErrors === null ? vErrors = [err204] : vErrors.push(err204), errors++;
                    }
                  }
                }
                if (data134.cnamAutoTransferRegex !== void 0) {
                  let data137 = data134.cnamAutoTransferRegex;
                  if (typeof data137 != "string" && data137 !== null) {
                    let err205 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/transferRules/cnamAutoTransferRegex", schemaPath: "#/properties/environments/additionalProperties/properties/transferRules/properties/cnamAutoTransferRegex/type", keyword: "type", params: { type: schema43.properties.environments.additionalProperties.properties.transferRules.properties.cnamAutoTransferRegex.type }, message: "must be string,null" };
                    vErrors === null ? vErrors = [err205] : vErrors.push(err205), errors++;
                  }
                }
                if (data134.cnamAutoTransferDestination !== void 0) {
                  let data138 = data134.cnamAutoTransferDestination;
                  if (typeof data138 != "string" && data138 !== null) {
                    let err206 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/transferRules/cnamAutoTransferDestination", schemaPath: "#/properties/environments/additionalProperties/properties/transferRules/properties/cnamAutoTransferDestination/type", keyword: "type", params: { type: schema43.properties.environments.additionalProperties.properties.transferRules.properties.cnamAutoTransferDestination.type }, message: "must be string,null" };
                    vErrors === null ? vErrors = [err206] : vErrors.push(err206), errors++;
                  }
                }
                if (data134.confirmTransfers !== void 0 && typeof data134.confirmTransfers != "boolean") {
                  let err207 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/transferRules/confirmTransfers", schemaPath: "#/properties/environments/additionalProperties/properties/transferRules/properties/confirmTransfers/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  vErrors === null ? vErrors = [err207] : vErrors.push(err207), errors++;
                }
                if (data134.monitorTransfers !== void 0 && typeof data134.monitorTransfers != "boolean") {
                  let err208 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/transferRules/monitorTransfers", schemaPath: "#/properties/environments/additionalProperties/properties/transferRules/properties/monitorTransfers/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  vErrors === null ? vErrors = [err208] : vErrors.push(err208), errors++;
                }
                if (data134.attendedTransfers !== void 0 && typeof data134.attendedTransfers != "boolean") {
                  let err209 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/transferRules/attendedTransfers", schemaPath: "#/properties/environments/additionalProperties/properties/transferRules/properties/attendedTransfers/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  vErrors === null ? vErrors = [err209] : vErrors.push(err209), errors++;
                }
                if (data134.attendedTransferBridgeTrigger !== void 0) {
                  let data142 = data134.attendedTransferBridgeTrigger;
                  if (typeof data142 != "string" && data142 !== null) {
                    let err210 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/transferRules/attendedTransferBridgeTrigger", schemaPath: "#/properties/environments/additionalProperties/properties/transferRules/properties/attendedTransferBridgeTrigger/type", keyword: "type", params: { type: schema43.properties.environments.additionalProperties.properties.transferRules.properties.attendedTransferBridgeTrigger.type }, message: "must be string,null" };
                    vErrors === null ? vErrors = [err210] : vErrors.push(err210), errors++;
                  }
                }
                if (data134.transferConfirmTimeout !== void 0) {
                  let data143 = data134.transferConfirmTimeout;
                  if (!(typeof data143 == "number" && !(data143 % 1) && !isNaN(data143))) {
                    let err211 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/transferRules/transferConfirmTimeout", schemaPath: "#/properties/environments/additionalProperties/properties/transferRules/properties/transferConfirmTimeout/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                    vErrors === null ? vErrors = [err211] : vErrors.push(err211), errors++;
                  }
                  if (typeof data143 == "number" && (data143 < 0 || isNaN(data143))) {
                    let err212 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/transferRules/transferConfirmTimeout", schemaPath: "#/properties/environments/additionalProperties/properties/transferRules/properties/transferConfirmTimeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                    vErrors === null ? vErrors = [err212] : vErrors.push(err212), errors++;
                  }
                }
              } else {
                let err213 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/transferRules", schemaPath: "#/properties/environments/additionalProperties/properties/transferRules/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err213] : vErrors.push(err213), errors++;
              }
            }
            if (data78.extraSettings !== void 0) {
              let data144 = data78.extraSettings;
              if (!(data144 && typeof data144 == "object" && !Array.isArray(data144))) {
                let err214 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/extraSettings", schemaPath: "#/properties/environments/additionalProperties/properties/extraSettings/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err214] : vErrors.push(err214), errors++;
              }
            }
            if (data78.target !== void 0) {
              let data145 = data78.target;
              if (data145 && typeof data145 == "object" && !Array.isArray(data145)) {
                for (let key15 in data145)
                  if (!(key15 === "agentId" || key15 === "campaignId" || key15 === "token" || key15 === "query")) {
                    let err215 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/target", schemaPath: "#/properties/environments/additionalProperties/properties/target/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key15 }, message: "must NOT have additional properties" };
                    vErrors === null ? vErrors = [err215] : vErrors.push(err215), errors++;
                  }
                if (data145.agentId !== void 0) {
                  let data146 = data145.agentId;
                  if (typeof data146 == "string") {
                    if (func2(data146) < 1) {
                      let err216 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/target/agentId", schemaPath: "#/properties/environments/additionalProperties/properties/target/properties/agentId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                      vErrors === null ? vErrors = [err216] : vErrors.push(err216), errors++;
                    }
                  } else {
                    let err217 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/target/agentId", schemaPath: "#/properties/environments/additionalProperties/properties/target/properties/agentId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    vErrors === null ? vErrors = [err217] : vErrors.push(err217), errors++;
                  }
                }
                if (data145.campaignId !== void 0) {
                  let data147 = data145.campaignId;
                  if (typeof data147 == "string") {
                    if (func2(data147) < 1) {
                      let err218 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/target/campaignId", schemaPath: "#/properties/environments/additionalProperties/properties/target/properties/campaignId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                      vErrors === null ? vErrors = [err218] : vErrors.push(err218), errors++;
                    }
                  } else {
                    let err219 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/target/campaignId", schemaPath: "#/properties/environments/additionalProperties/properties/target/properties/campaignId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    vErrors === null ? vErrors = [err219] : vErrors.push(err219), errors++;
                  }
                }
                if (data145.token !== void 0 && typeof data145.token != "string") {
                  let err220 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/target/token", schemaPath: "#/properties/environments/additionalProperties/properties/target/properties/token/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err220] : vErrors.push(err220), errors++;
                }
                if (data145.query !== void 0) {
                  let data149 = data145.query;
                  if (data149 && typeof data149 == "object" && !Array.isArray(data149))
                    for (let key16 in data149) {
                      let data150 = data149[key16];
                      if (typeof data150 != "string" && !(typeof data150 == "number" && !(data150 % 1) && !isNaN(data150)) && typeof data150 != "boolean") {
                        let err221 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/target/query/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/environments/additionalProperties/properties/target/properties/query/additionalProperties/type", keyword: "type", params: { type: schema43.properties.environments.additionalProperties.properties.target.properties.query.additionalProperties.type }, message: "must be string,integer,boolean" };
                        vErrors === null ? vErrors = [err221] : vErrors.push(err221), errors++;
                      }
                    }
                  else {
                    let err222 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/target/query", schemaPath: "#/properties/environments/additionalProperties/properties/target/properties/query/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    vErrors === null ? vErrors = [err222] : vErrors.push(err222), errors++;
                  }
                }
              } else {
                let err223 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1") + "/target", schemaPath: "#/properties/environments/additionalProperties/properties/target/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err223] : vErrors.push(err223), errors++;
              }
            }
          } else {
            let err224 = { instancePath: instancePath + "/environments/" + key8.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/environments/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err224] : vErrors.push(err224), errors++;
          }
        }
      else {
        let err225 = { instancePath: instancePath + "/environments", schemaPath: "#/properties/environments/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err225] : vErrors.push(err225), errors++;
      }
    }
  } else {
    let err226 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err226] : vErrors.push(err226), errors++;
  }
  return validate158.errors = vErrors, errors === 0;
}
validate158.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
export {
  authored,
  resolved
};
