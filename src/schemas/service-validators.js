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
var serviceOutcome = validate52;
var schema20 = { type: "object", properties: { success: { type: "boolean" }, message: { type: ["string", "null"] } } };
function validate53(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate53.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success !== void 0 && typeof data.success != "boolean") {
      let err0 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.message !== void 0) {
      let data1 = data.message;
      if (typeof data1 != "string" && data1 !== null) {
        let err1 = { instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: schema20.properties.message.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    }
  } else {
    let err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
  }
  return validate53.errors = vErrors, errors === 0;
}
validate53.evaluated = { props: { success: !0, message: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate52(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate52.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate53(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors), errors = vErrors.length), validate52.errors = vErrors, errors === 0;
}
validate52.evaluated = { props: { success: !0, message: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceAgentUpdated = validate55;
var schema22 = { type: "object", required: ["campaignId"], properties: { success: { type: "boolean" }, message: { type: ["string", "null"] }, campaignId: { type: "string", minLength: 1 } } }, func1 = require_ucs2length().default;
function validate56(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate56.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.campaignId === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "campaignId" }, message: "must have required property 'campaignId'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.success !== void 0 && typeof data.success != "boolean") {
      let err1 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.message !== void 0) {
      let data1 = data.message;
      if (typeof data1 != "string" && data1 !== null) {
        let err2 = { instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: schema22.properties.message.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.campaignId !== void 0) {
      let data2 = data.campaignId;
      if (typeof data2 == "string") {
        if (func1(data2) < 1) {
          let err3 = { instancePath: instancePath + "/campaignId", schemaPath: "#/properties/campaignId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
        }
      } else {
        let err4 = { instancePath: instancePath + "/campaignId", schemaPath: "#/properties/campaignId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
  } else {
    let err5 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
  }
  return validate56.errors = vErrors, errors === 0;
}
validate56.evaluated = { props: { success: !0, message: !0, campaignId: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate55(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate55.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate56(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors), errors = vErrors.length), validate55.errors = vErrors, errors === 0;
}
validate55.evaluated = { props: { success: !0, message: !0, campaignId: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceAgentAnswer = validate58;
var schema24 = { type: "object", required: ["campaign"], properties: { success: { type: "boolean" }, message: { type: ["string", "null"] }, campaign: { $ref: "#/components/schemas/Campaign" } } }, schema25 = { description: "An agent as the service shows it. A setting that is not set may be null or absent.", type: "object", required: ["id"], properties: { id: { type: "string", minLength: 1 }, title: { type: ["string", "null"] }, campaignType: { type: ["string", "null"] }, enabled: { type: ["boolean", "null"] }, published: { type: ["boolean", "null"] }, welcomeMessage: { type: ["string", "null"] }, timezone: { type: ["string", "null"] }, agentVoice: { type: ["string", "null"] }, agentLang: { type: ["string", "null"] }, agentModel: { type: ["string", "null"] }, agentInstructions: { type: ["string", "null"] }, publicInstructions: { type: ["string", "null"] }, adminInstructions: { type: ["string", "null"] }, heartbeatInstructions: { type: ["string", "null"] }, heartbeatEvery: { type: ["string", "null"] }, agentThinking: { type: ["string", "null"] }, links: { type: ["array", "null"], items: { type: "string" } }, activeEventRules: { type: ["array", "null"], items: { type: "string" } }, actions: { type: ["array", "null"], items: { $ref: "#/components/schemas/LiveAction" } }, skills: { type: ["array", "null"], items: { $ref: "#/components/schemas/LiveSkill" } }, apps: { type: ["array", "null"], items: { type: "object" } }, lastUpdate: { description: "Time of the last update, in milliseconds since the epoch.", type: ["integer", "null"] } } }, schema26 = { type: "object", required: ["name"], properties: { name: { type: "string" }, instructions: { type: ["string", "null"] }, placeholder: { type: ["string", "null"] }, allowed: { type: ["boolean", "null"] } } };
function validate61(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate61.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.name !== void 0 && typeof data.name != "string") {
      let err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.instructions !== void 0) {
      let data1 = data.instructions;
      if (typeof data1 != "string" && data1 !== null) {
        let err2 = { instancePath: instancePath + "/instructions", schemaPath: "#/properties/instructions/type", keyword: "type", params: { type: schema26.properties.instructions.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.placeholder !== void 0) {
      let data2 = data.placeholder;
      if (typeof data2 != "string" && data2 !== null) {
        let err3 = { instancePath: instancePath + "/placeholder", schemaPath: "#/properties/placeholder/type", keyword: "type", params: { type: schema26.properties.placeholder.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.allowed !== void 0) {
      let data3 = data.allowed;
      if (typeof data3 != "boolean" && data3 !== null) {
        let err4 = { instancePath: instancePath + "/allowed", schemaPath: "#/properties/allowed/type", keyword: "type", params: { type: schema26.properties.allowed.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
  } else {
    let err5 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
  }
  return validate61.errors = vErrors, errors === 0;
}
validate61.evaluated = { props: { name: !0, instructions: !0, placeholder: !0, allowed: !0 }, dynamicProps: !1, dynamicItems: !1 };
var schema27 = { type: "object", required: ["slug"], properties: { slug: { type: "string" }, instructions: { type: ["string", "null"] }, allowed: { type: ["boolean", "null"] }, usable: { type: ["boolean", "null"] }, reason: { type: ["string", "null"] } } };
function validate63(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate63.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.slug === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.slug !== void 0 && typeof data.slug != "string") {
      let err1 = { instancePath: instancePath + "/slug", schemaPath: "#/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.instructions !== void 0) {
      let data1 = data.instructions;
      if (typeof data1 != "string" && data1 !== null) {
        let err2 = { instancePath: instancePath + "/instructions", schemaPath: "#/properties/instructions/type", keyword: "type", params: { type: schema27.properties.instructions.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.allowed !== void 0) {
      let data2 = data.allowed;
      if (typeof data2 != "boolean" && data2 !== null) {
        let err3 = { instancePath: instancePath + "/allowed", schemaPath: "#/properties/allowed/type", keyword: "type", params: { type: schema27.properties.allowed.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.usable !== void 0) {
      let data3 = data.usable;
      if (typeof data3 != "boolean" && data3 !== null) {
        let err4 = { instancePath: instancePath + "/usable", schemaPath: "#/properties/usable/type", keyword: "type", params: { type: schema27.properties.usable.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.reason !== void 0) {
      let data4 = data.reason;
      if (typeof data4 != "string" && data4 !== null) {
        let err5 = { instancePath: instancePath + "/reason", schemaPath: "#/properties/reason/type", keyword: "type", params: { type: schema27.properties.reason.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
  } else {
    let err6 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
  }
  return validate63.errors = vErrors, errors === 0;
}
validate63.evaluated = { props: { slug: !0, instructions: !0, allowed: !0, usable: !0, reason: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate60(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate60.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.id === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.id !== void 0) {
      let data0 = data.id;
      if (typeof data0 == "string") {
        if (func1(data0) < 1) {
          let err1 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
        }
      } else {
        let err2 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.title !== void 0) {
      let data1 = data.title;
      if (typeof data1 != "string" && data1 !== null) {
        let err3 = { instancePath: instancePath + "/title", schemaPath: "#/properties/title/type", keyword: "type", params: { type: schema25.properties.title.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.campaignType !== void 0) {
      let data2 = data.campaignType;
      if (typeof data2 != "string" && data2 !== null) {
        let err4 = { instancePath: instancePath + "/campaignType", schemaPath: "#/properties/campaignType/type", keyword: "type", params: { type: schema25.properties.campaignType.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.enabled !== void 0) {
      let data3 = data.enabled;
      if (typeof data3 != "boolean" && data3 !== null) {
        let err5 = { instancePath: instancePath + "/enabled", schemaPath: "#/properties/enabled/type", keyword: "type", params: { type: schema25.properties.enabled.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.published !== void 0) {
      let data4 = data.published;
      if (typeof data4 != "boolean" && data4 !== null) {
        let err6 = { instancePath: instancePath + "/published", schemaPath: "#/properties/published/type", keyword: "type", params: { type: schema25.properties.published.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
    if (data.welcomeMessage !== void 0) {
      let data5 = data.welcomeMessage;
      if (typeof data5 != "string" && data5 !== null) {
        let err7 = { instancePath: instancePath + "/welcomeMessage", schemaPath: "#/properties/welcomeMessage/type", keyword: "type", params: { type: schema25.properties.welcomeMessage.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
    }
    if (data.timezone !== void 0) {
      let data6 = data.timezone;
      if (typeof data6 != "string" && data6 !== null) {
        let err8 = { instancePath: instancePath + "/timezone", schemaPath: "#/properties/timezone/type", keyword: "type", params: { type: schema25.properties.timezone.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
    }
    if (data.agentVoice !== void 0) {
      let data7 = data.agentVoice;
      if (typeof data7 != "string" && data7 !== null) {
        let err9 = { instancePath: instancePath + "/agentVoice", schemaPath: "#/properties/agentVoice/type", keyword: "type", params: { type: schema25.properties.agentVoice.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
      }
    }
    if (data.agentLang !== void 0) {
      let data8 = data.agentLang;
      if (typeof data8 != "string" && data8 !== null) {
        let err10 = { instancePath: instancePath + "/agentLang", schemaPath: "#/properties/agentLang/type", keyword: "type", params: { type: schema25.properties.agentLang.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
      }
    }
    if (data.agentModel !== void 0) {
      let data9 = data.agentModel;
      if (typeof data9 != "string" && data9 !== null) {
        let err11 = { instancePath: instancePath + "/agentModel", schemaPath: "#/properties/agentModel/type", keyword: "type", params: { type: schema25.properties.agentModel.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
      }
    }
    if (data.agentInstructions !== void 0) {
      let data10 = data.agentInstructions;
      if (typeof data10 != "string" && data10 !== null) {
        let err12 = { instancePath: instancePath + "/agentInstructions", schemaPath: "#/properties/agentInstructions/type", keyword: "type", params: { type: schema25.properties.agentInstructions.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
      }
    }
    if (data.publicInstructions !== void 0) {
      let data11 = data.publicInstructions;
      if (typeof data11 != "string" && data11 !== null) {
        let err13 = { instancePath: instancePath + "/publicInstructions", schemaPath: "#/properties/publicInstructions/type", keyword: "type", params: { type: schema25.properties.publicInstructions.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
      }
    }
    if (data.adminInstructions !== void 0) {
      let data12 = data.adminInstructions;
      if (typeof data12 != "string" && data12 !== null) {
        let err14 = { instancePath: instancePath + "/adminInstructions", schemaPath: "#/properties/adminInstructions/type", keyword: "type", params: { type: schema25.properties.adminInstructions.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
      }
    }
    if (data.heartbeatInstructions !== void 0) {
      let data13 = data.heartbeatInstructions;
      if (typeof data13 != "string" && data13 !== null) {
        let err15 = { instancePath: instancePath + "/heartbeatInstructions", schemaPath: "#/properties/heartbeatInstructions/type", keyword: "type", params: { type: schema25.properties.heartbeatInstructions.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
      }
    }
    if (data.heartbeatEvery !== void 0) {
      let data14 = data.heartbeatEvery;
      if (typeof data14 != "string" && data14 !== null) {
        let err16 = { instancePath: instancePath + "/heartbeatEvery", schemaPath: "#/properties/heartbeatEvery/type", keyword: "type", params: { type: schema25.properties.heartbeatEvery.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
      }
    }
    if (data.agentThinking !== void 0) {
      let data15 = data.agentThinking;
      if (typeof data15 != "string" && data15 !== null) {
        let err17 = { instancePath: instancePath + "/agentThinking", schemaPath: "#/properties/agentThinking/type", keyword: "type", params: { type: schema25.properties.agentThinking.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
      }
    }
    if (data.links !== void 0) {
      let data16 = data.links;
      if (!Array.isArray(data16) && data16 !== null) {
        let err18 = { instancePath: instancePath + "/links", schemaPath: "#/properties/links/type", keyword: "type", params: { type: schema25.properties.links.type }, message: "must be array,null" };
        vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
      }
      if (Array.isArray(data16)) {
        let len0 = data16.length;
        for (let i0 = 0; i0 < len0; i0++)
          if (typeof data16[i0] != "string") {
            let err19 = { instancePath: instancePath + "/links/" + i0, schemaPath: "#/properties/links/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
          }
      }
    }
    if (data.activeEventRules !== void 0) {
      let data18 = data.activeEventRules;
      if (!Array.isArray(data18) && data18 !== null) {
        let err20 = { instancePath: instancePath + "/activeEventRules", schemaPath: "#/properties/activeEventRules/type", keyword: "type", params: { type: schema25.properties.activeEventRules.type }, message: "must be array,null" };
        vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
      }
      if (Array.isArray(data18)) {
        let len1 = data18.length;
        for (let i1 = 0; i1 < len1; i1++)
          if (typeof data18[i1] != "string") {
            let err21 = { instancePath: instancePath + "/activeEventRules/" + i1, schemaPath: "#/properties/activeEventRules/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
          }
      }
    }
    if (data.actions !== void 0) {
      let data20 = data.actions;
      if (!Array.isArray(data20) && data20 !== null) {
        let err22 = { instancePath: instancePath + "/actions", schemaPath: "#/properties/actions/type", keyword: "type", params: { type: schema25.properties.actions.type }, message: "must be array,null" };
        vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
      }
      if (Array.isArray(data20)) {
        let len2 = data20.length;
        for (let i2 = 0; i2 < len2; i2++)
          validate61(data20[i2], { instancePath: instancePath + "/actions/" + i2, parentData: data20, parentDataProperty: i2, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors), errors = vErrors.length);
      }
    }
    if (data.skills !== void 0) {
      let data22 = data.skills;
      if (!Array.isArray(data22) && data22 !== null) {
        let err23 = { instancePath: instancePath + "/skills", schemaPath: "#/properties/skills/type", keyword: "type", params: { type: schema25.properties.skills.type }, message: "must be array,null" };
        vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
      }
      if (Array.isArray(data22)) {
        let len3 = data22.length;
        for (let i3 = 0; i3 < len3; i3++)
          validate63(data22[i3], { instancePath: instancePath + "/skills/" + i3, parentData: data22, parentDataProperty: i3, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors), errors = vErrors.length);
      }
    }
    if (data.apps !== void 0) {
      let data24 = data.apps;
      if (!Array.isArray(data24) && data24 !== null) {
        let err24 = { instancePath: instancePath + "/apps", schemaPath: "#/properties/apps/type", keyword: "type", params: { type: schema25.properties.apps.type }, message: "must be array,null" };
        vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
      }
      if (Array.isArray(data24)) {
        let len4 = data24.length;
        for (let i4 = 0; i4 < len4; i4++) {
          let data25 = data24[i4];
          if (!(data25 && typeof data25 == "object" && !Array.isArray(data25))) {
            let err25 = { instancePath: instancePath + "/apps/" + i4, schemaPath: "#/properties/apps/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
          }
        }
      }
    }
    if (data.lastUpdate !== void 0) {
      let data26 = data.lastUpdate;
      if (!(typeof data26 == "number" && !(data26 % 1) && !isNaN(data26)) && data26 !== null) {
        let err26 = { instancePath: instancePath + "/lastUpdate", schemaPath: "#/properties/lastUpdate/type", keyword: "type", params: { type: schema25.properties.lastUpdate.type }, message: "must be integer,null" };
        vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
      }
    }
  } else {
    let err27 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
  }
  return validate60.errors = vErrors, errors === 0;
}
validate60.evaluated = { props: { id: !0, title: !0, campaignType: !0, enabled: !0, published: !0, welcomeMessage: !0, timezone: !0, agentVoice: !0, agentLang: !0, agentModel: !0, agentInstructions: !0, publicInstructions: !0, adminInstructions: !0, heartbeatInstructions: !0, heartbeatEvery: !0, agentThinking: !0, links: !0, activeEventRules: !0, actions: !0, skills: !0, apps: !0, lastUpdate: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate59(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate59.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.campaign === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "campaign" }, message: "must have required property 'campaign'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.success !== void 0 && typeof data.success != "boolean") {
      let err1 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.message !== void 0) {
      let data1 = data.message;
      if (typeof data1 != "string" && data1 !== null) {
        let err2 = { instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: schema24.properties.message.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    data.campaign !== void 0 && (validate60(data.campaign, { instancePath: instancePath + "/campaign", parentData: data, parentDataProperty: "campaign", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors), errors = vErrors.length));
  } else {
    let err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
  }
  return validate59.errors = vErrors, errors === 0;
}
validate59.evaluated = { props: { success: !0, message: !0, campaign: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate58(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate58.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate59(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors), errors = vErrors.length), validate58.errors = vErrors, errors === 0;
}
validate58.evaluated = { props: { success: !0, message: !0, campaign: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceCampaign = validate67;
function validate69(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate69.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.name !== void 0 && typeof data.name != "string") {
      let err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.instructions !== void 0) {
      let data1 = data.instructions;
      if (typeof data1 != "string" && data1 !== null) {
        let err2 = { instancePath: instancePath + "/instructions", schemaPath: "#/properties/instructions/type", keyword: "type", params: { type: schema26.properties.instructions.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.placeholder !== void 0) {
      let data2 = data.placeholder;
      if (typeof data2 != "string" && data2 !== null) {
        let err3 = { instancePath: instancePath + "/placeholder", schemaPath: "#/properties/placeholder/type", keyword: "type", params: { type: schema26.properties.placeholder.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.allowed !== void 0) {
      let data3 = data.allowed;
      if (typeof data3 != "boolean" && data3 !== null) {
        let err4 = { instancePath: instancePath + "/allowed", schemaPath: "#/properties/allowed/type", keyword: "type", params: { type: schema26.properties.allowed.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
  } else {
    let err5 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
  }
  return validate69.errors = vErrors, errors === 0;
}
validate69.evaluated = { props: { name: !0, instructions: !0, placeholder: !0, allowed: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate71(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate71.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.slug === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.slug !== void 0 && typeof data.slug != "string") {
      let err1 = { instancePath: instancePath + "/slug", schemaPath: "#/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.instructions !== void 0) {
      let data1 = data.instructions;
      if (typeof data1 != "string" && data1 !== null) {
        let err2 = { instancePath: instancePath + "/instructions", schemaPath: "#/properties/instructions/type", keyword: "type", params: { type: schema27.properties.instructions.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.allowed !== void 0) {
      let data2 = data.allowed;
      if (typeof data2 != "boolean" && data2 !== null) {
        let err3 = { instancePath: instancePath + "/allowed", schemaPath: "#/properties/allowed/type", keyword: "type", params: { type: schema27.properties.allowed.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.usable !== void 0) {
      let data3 = data.usable;
      if (typeof data3 != "boolean" && data3 !== null) {
        let err4 = { instancePath: instancePath + "/usable", schemaPath: "#/properties/usable/type", keyword: "type", params: { type: schema27.properties.usable.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.reason !== void 0) {
      let data4 = data.reason;
      if (typeof data4 != "string" && data4 !== null) {
        let err5 = { instancePath: instancePath + "/reason", schemaPath: "#/properties/reason/type", keyword: "type", params: { type: schema27.properties.reason.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
  } else {
    let err6 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
  }
  return validate71.errors = vErrors, errors === 0;
}
validate71.evaluated = { props: { slug: !0, instructions: !0, allowed: !0, usable: !0, reason: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate68(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate68.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.id === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "id" }, message: "must have required property 'id'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.id !== void 0) {
      let data0 = data.id;
      if (typeof data0 == "string") {
        if (func1(data0) < 1) {
          let err1 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
        }
      } else {
        let err2 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.title !== void 0) {
      let data1 = data.title;
      if (typeof data1 != "string" && data1 !== null) {
        let err3 = { instancePath: instancePath + "/title", schemaPath: "#/properties/title/type", keyword: "type", params: { type: schema25.properties.title.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.campaignType !== void 0) {
      let data2 = data.campaignType;
      if (typeof data2 != "string" && data2 !== null) {
        let err4 = { instancePath: instancePath + "/campaignType", schemaPath: "#/properties/campaignType/type", keyword: "type", params: { type: schema25.properties.campaignType.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.enabled !== void 0) {
      let data3 = data.enabled;
      if (typeof data3 != "boolean" && data3 !== null) {
        let err5 = { instancePath: instancePath + "/enabled", schemaPath: "#/properties/enabled/type", keyword: "type", params: { type: schema25.properties.enabled.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.published !== void 0) {
      let data4 = data.published;
      if (typeof data4 != "boolean" && data4 !== null) {
        let err6 = { instancePath: instancePath + "/published", schemaPath: "#/properties/published/type", keyword: "type", params: { type: schema25.properties.published.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
    if (data.welcomeMessage !== void 0) {
      let data5 = data.welcomeMessage;
      if (typeof data5 != "string" && data5 !== null) {
        let err7 = { instancePath: instancePath + "/welcomeMessage", schemaPath: "#/properties/welcomeMessage/type", keyword: "type", params: { type: schema25.properties.welcomeMessage.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
    }
    if (data.timezone !== void 0) {
      let data6 = data.timezone;
      if (typeof data6 != "string" && data6 !== null) {
        let err8 = { instancePath: instancePath + "/timezone", schemaPath: "#/properties/timezone/type", keyword: "type", params: { type: schema25.properties.timezone.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
    }
    if (data.agentVoice !== void 0) {
      let data7 = data.agentVoice;
      if (typeof data7 != "string" && data7 !== null) {
        let err9 = { instancePath: instancePath + "/agentVoice", schemaPath: "#/properties/agentVoice/type", keyword: "type", params: { type: schema25.properties.agentVoice.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
      }
    }
    if (data.agentLang !== void 0) {
      let data8 = data.agentLang;
      if (typeof data8 != "string" && data8 !== null) {
        let err10 = { instancePath: instancePath + "/agentLang", schemaPath: "#/properties/agentLang/type", keyword: "type", params: { type: schema25.properties.agentLang.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
      }
    }
    if (data.agentModel !== void 0) {
      let data9 = data.agentModel;
      if (typeof data9 != "string" && data9 !== null) {
        let err11 = { instancePath: instancePath + "/agentModel", schemaPath: "#/properties/agentModel/type", keyword: "type", params: { type: schema25.properties.agentModel.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
      }
    }
    if (data.agentInstructions !== void 0) {
      let data10 = data.agentInstructions;
      if (typeof data10 != "string" && data10 !== null) {
        let err12 = { instancePath: instancePath + "/agentInstructions", schemaPath: "#/properties/agentInstructions/type", keyword: "type", params: { type: schema25.properties.agentInstructions.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
      }
    }
    if (data.publicInstructions !== void 0) {
      let data11 = data.publicInstructions;
      if (typeof data11 != "string" && data11 !== null) {
        let err13 = { instancePath: instancePath + "/publicInstructions", schemaPath: "#/properties/publicInstructions/type", keyword: "type", params: { type: schema25.properties.publicInstructions.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
      }
    }
    if (data.adminInstructions !== void 0) {
      let data12 = data.adminInstructions;
      if (typeof data12 != "string" && data12 !== null) {
        let err14 = { instancePath: instancePath + "/adminInstructions", schemaPath: "#/properties/adminInstructions/type", keyword: "type", params: { type: schema25.properties.adminInstructions.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
      }
    }
    if (data.heartbeatInstructions !== void 0) {
      let data13 = data.heartbeatInstructions;
      if (typeof data13 != "string" && data13 !== null) {
        let err15 = { instancePath: instancePath + "/heartbeatInstructions", schemaPath: "#/properties/heartbeatInstructions/type", keyword: "type", params: { type: schema25.properties.heartbeatInstructions.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
      }
    }
    if (data.heartbeatEvery !== void 0) {
      let data14 = data.heartbeatEvery;
      if (typeof data14 != "string" && data14 !== null) {
        let err16 = { instancePath: instancePath + "/heartbeatEvery", schemaPath: "#/properties/heartbeatEvery/type", keyword: "type", params: { type: schema25.properties.heartbeatEvery.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
      }
    }
    if (data.agentThinking !== void 0) {
      let data15 = data.agentThinking;
      if (typeof data15 != "string" && data15 !== null) {
        let err17 = { instancePath: instancePath + "/agentThinking", schemaPath: "#/properties/agentThinking/type", keyword: "type", params: { type: schema25.properties.agentThinking.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
      }
    }
    if (data.links !== void 0) {
      let data16 = data.links;
      if (!Array.isArray(data16) && data16 !== null) {
        let err18 = { instancePath: instancePath + "/links", schemaPath: "#/properties/links/type", keyword: "type", params: { type: schema25.properties.links.type }, message: "must be array,null" };
        vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
      }
      if (Array.isArray(data16)) {
        let len0 = data16.length;
        for (let i0 = 0; i0 < len0; i0++)
          if (typeof data16[i0] != "string") {
            let err19 = { instancePath: instancePath + "/links/" + i0, schemaPath: "#/properties/links/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
          }
      }
    }
    if (data.activeEventRules !== void 0) {
      let data18 = data.activeEventRules;
      if (!Array.isArray(data18) && data18 !== null) {
        let err20 = { instancePath: instancePath + "/activeEventRules", schemaPath: "#/properties/activeEventRules/type", keyword: "type", params: { type: schema25.properties.activeEventRules.type }, message: "must be array,null" };
        vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
      }
      if (Array.isArray(data18)) {
        let len1 = data18.length;
        for (let i1 = 0; i1 < len1; i1++)
          if (typeof data18[i1] != "string") {
            let err21 = { instancePath: instancePath + "/activeEventRules/" + i1, schemaPath: "#/properties/activeEventRules/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
          }
      }
    }
    if (data.actions !== void 0) {
      let data20 = data.actions;
      if (!Array.isArray(data20) && data20 !== null) {
        let err22 = { instancePath: instancePath + "/actions", schemaPath: "#/properties/actions/type", keyword: "type", params: { type: schema25.properties.actions.type }, message: "must be array,null" };
        vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
      }
      if (Array.isArray(data20)) {
        let len2 = data20.length;
        for (let i2 = 0; i2 < len2; i2++)
          validate69(data20[i2], { instancePath: instancePath + "/actions/" + i2, parentData: data20, parentDataProperty: i2, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate69.errors : vErrors.concat(validate69.errors), errors = vErrors.length);
      }
    }
    if (data.skills !== void 0) {
      let data22 = data.skills;
      if (!Array.isArray(data22) && data22 !== null) {
        let err23 = { instancePath: instancePath + "/skills", schemaPath: "#/properties/skills/type", keyword: "type", params: { type: schema25.properties.skills.type }, message: "must be array,null" };
        vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
      }
      if (Array.isArray(data22)) {
        let len3 = data22.length;
        for (let i3 = 0; i3 < len3; i3++)
          validate71(data22[i3], { instancePath: instancePath + "/skills/" + i3, parentData: data22, parentDataProperty: i3, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate71.errors : vErrors.concat(validate71.errors), errors = vErrors.length);
      }
    }
    if (data.apps !== void 0) {
      let data24 = data.apps;
      if (!Array.isArray(data24) && data24 !== null) {
        let err24 = { instancePath: instancePath + "/apps", schemaPath: "#/properties/apps/type", keyword: "type", params: { type: schema25.properties.apps.type }, message: "must be array,null" };
        vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
      }
      if (Array.isArray(data24)) {
        let len4 = data24.length;
        for (let i4 = 0; i4 < len4; i4++) {
          let data25 = data24[i4];
          if (!(data25 && typeof data25 == "object" && !Array.isArray(data25))) {
            let err25 = { instancePath: instancePath + "/apps/" + i4, schemaPath: "#/properties/apps/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
          }
        }
      }
    }
    if (data.lastUpdate !== void 0) {
      let data26 = data.lastUpdate;
      if (!(typeof data26 == "number" && !(data26 % 1) && !isNaN(data26)) && data26 !== null) {
        let err26 = { instancePath: instancePath + "/lastUpdate", schemaPath: "#/properties/lastUpdate/type", keyword: "type", params: { type: schema25.properties.lastUpdate.type }, message: "must be integer,null" };
        vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
      }
    }
  } else {
    let err27 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
  }
  return validate68.errors = vErrors, errors === 0;
}
validate68.evaluated = { props: { id: !0, title: !0, campaignType: !0, enabled: !0, published: !0, welcomeMessage: !0, timezone: !0, agentVoice: !0, agentLang: !0, agentModel: !0, agentInstructions: !0, publicInstructions: !0, adminInstructions: !0, heartbeatInstructions: !0, heartbeatEvery: !0, agentThinking: !0, links: !0, activeEventRules: !0, actions: !0, skills: !0, apps: !0, lastUpdate: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate67(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate67.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate68(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate68.errors : vErrors.concat(validate68.errors), errors = vErrors.length), validate67.errors = vErrors, errors === 0;
}
validate67.evaluated = { props: { id: !0, title: !0, campaignType: !0, enabled: !0, published: !0, welcomeMessage: !0, timezone: !0, agentVoice: !0, agentLang: !0, agentModel: !0, agentInstructions: !0, publicInstructions: !0, adminInstructions: !0, heartbeatInstructions: !0, heartbeatEvery: !0, agentThinking: !0, links: !0, activeEventRules: !0, actions: !0, skills: !0, apps: !0, lastUpdate: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceLiveAction = validate74;
function validate75(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate75.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.name !== void 0 && typeof data.name != "string") {
      let err1 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.instructions !== void 0) {
      let data1 = data.instructions;
      if (typeof data1 != "string" && data1 !== null) {
        let err2 = { instancePath: instancePath + "/instructions", schemaPath: "#/properties/instructions/type", keyword: "type", params: { type: schema26.properties.instructions.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.placeholder !== void 0) {
      let data2 = data.placeholder;
      if (typeof data2 != "string" && data2 !== null) {
        let err3 = { instancePath: instancePath + "/placeholder", schemaPath: "#/properties/placeholder/type", keyword: "type", params: { type: schema26.properties.placeholder.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.allowed !== void 0) {
      let data3 = data.allowed;
      if (typeof data3 != "boolean" && data3 !== null) {
        let err4 = { instancePath: instancePath + "/allowed", schemaPath: "#/properties/allowed/type", keyword: "type", params: { type: schema26.properties.allowed.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
  } else {
    let err5 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
  }
  return validate75.errors = vErrors, errors === 0;
}
validate75.evaluated = { props: { name: !0, instructions: !0, placeholder: !0, allowed: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate74(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate74.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate75(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate75.errors : vErrors.concat(validate75.errors), errors = vErrors.length), validate74.errors = vErrors, errors === 0;
}
validate74.evaluated = { props: { name: !0, instructions: !0, placeholder: !0, allowed: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceLiveSkill = validate77;
function validate78(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate78.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.slug === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.slug !== void 0 && typeof data.slug != "string") {
      let err1 = { instancePath: instancePath + "/slug", schemaPath: "#/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.instructions !== void 0) {
      let data1 = data.instructions;
      if (typeof data1 != "string" && data1 !== null) {
        let err2 = { instancePath: instancePath + "/instructions", schemaPath: "#/properties/instructions/type", keyword: "type", params: { type: schema27.properties.instructions.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.allowed !== void 0) {
      let data2 = data.allowed;
      if (typeof data2 != "boolean" && data2 !== null) {
        let err3 = { instancePath: instancePath + "/allowed", schemaPath: "#/properties/allowed/type", keyword: "type", params: { type: schema27.properties.allowed.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.usable !== void 0) {
      let data3 = data.usable;
      if (typeof data3 != "boolean" && data3 !== null) {
        let err4 = { instancePath: instancePath + "/usable", schemaPath: "#/properties/usable/type", keyword: "type", params: { type: schema27.properties.usable.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.reason !== void 0) {
      let data4 = data.reason;
      if (typeof data4 != "string" && data4 !== null) {
        let err5 = { instancePath: instancePath + "/reason", schemaPath: "#/properties/reason/type", keyword: "type", params: { type: schema27.properties.reason.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
  } else {
    let err6 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
  }
  return validate78.errors = vErrors, errors === 0;
}
validate78.evaluated = { props: { slug: !0, instructions: !0, allowed: !0, usable: !0, reason: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate77(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate77.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate78(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate78.errors : vErrors.concat(validate78.errors), errors = vErrors.length), validate77.errors = vErrors, errors === 0;
}
validate77.evaluated = { props: { slug: !0, instructions: !0, allowed: !0, usable: !0, reason: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceAgentBody = validate80;
var schema37 = { "x-generated-from": "manifest.schema.json#/$defs/Agent", type: "object", required: ["type", "title", "description"], properties: { type: { const: "chatAgent", description: "Agent type. May be left out: it has one value.", default: "chatAgent", "x-read-as": "campaignType" }, title: { type: "string", description: "Agent title." }, description: { type: "string", description: "Description of the agent.", writeOnly: !0 }, welcomeMessage: { type: "string", description: "Greeting shown or spoken when a user first reaches the agent." }, links: { description: "HTTP links used as external knowledge.", type: "array", items: { type: "string" }, "x-list-type": "set", examples: [["https://www.example.com/opening-hours"]] }, actions: { description: "Names of actions that the agent can take.", type: "array", items: { type: "string" }, "x-list-type": "set", "x-read-as": "actions[].name" }, timezone: { type: "string", description: "IANA time zone that the agent operates in.", examples: ["Europe/Berlin"] }, agentVoice: { type: "string", description: "Voice model." }, agentLang: { enum: ["en-US", "multi", "es-MX", "es-ES", "es-US"], description: "Language for voice and transcription.", default: "en-US" }, agentInstructions: { type: "string", description: "Instructions for user interaction.", examples: [{ file: "../prompts/front-desk.md" }] }, publicInstructions: { type: "string", description: "Extra instructions used only in public-facing conversations." }, adminInstructions: { type: "string", description: "Instructions written into the managed admin section of the agent's instruction file on publish." }, heartbeatInstructions: { type: "string", description: "Instructions written into the managed heartbeat section on publish." }, heartbeatEvery: { type: "string", description: "Heartbeat interval override, as interval text. It persists on the draft and is sent only when it changed.", "x-send": "on-change", examples: ["30m"] }, agentModel: { type: "string", description: "Language model used for the agent's intelligence." }, agentThinking: { enum: ["low", null], description: "Reasoning budget for models that support thinking; null disables it." }, agentThinkingModel: { type: "string", description: "Model for the pauseAndThink function; the service has a default.", writeOnly: !0 }, postConvoForceThinking: { type: "boolean", description: "Forces the summary, reporting and spam detection after a conversation onto a thinking-capable model when agentThinking is off and the chosen model cannot think. Uses agentThinkingModel.", writeOnly: !0 }, agentS2SEngine: { enum: ["s2s_a", "s2s_b", null], description: "Speech-to-speech engine; requires a specific paid plan.", default: null, writeOnly: !0 }, agentSttEngine: { enum: ["stt_a", "stt_b", "stt_b_flux", "stt_c"], description: "Speech-to-text engine.", default: "stt_b", writeOnly: !0 }, agentSttSmartFormatting: { type: "boolean", description: "Smart formatting of transcripts; punctuation and numerals stay enabled regardless.", default: !0, writeOnly: !0 }, postAnswerDtmf: { type: "string", description: "DTMF digits sent when answering a call, for forwarding platforms that check for them.", writeOnly: !0, examples: ["1"] }, waitOnAnswer: { type: "integer", description: "Wait before speaking the welcomeMessage, in milliseconds.", minimum: 0, writeOnly: !0 }, interruptionWordCount: { type: "integer", description: "Words that a caller must speak for it to count as an interruption.", minimum: 0, default: 3, writeOnly: !0 }, interruptionMinimumSpeakingTime: { type: "integer", description: "How long the agent must have been speaking before it can be interrupted, in seconds.", minimum: 0, default: 3, writeOnly: !0 }, speakingTimeout: { type: "integer", description: "Gap between words after which the caller is considered finished, in milliseconds.", minimum: 0, default: 1200, writeOnly: !0 }, speechProcessingDelay: { type: "integer", description: "Delay before processed speech is sent to the model, in milliseconds; it rises and falls with the number of recent interruptions.", minimum: 0, default: 500, writeOnly: !0 }, speechProcessingDelayInterruptionStep: { type: "integer", description: "Delay added per interruption, in milliseconds.", minimum: 0, default: 500, writeOnly: !0 }, speechProcessingDelayMaxMultiplier: { type: "integer", description: "Maximum number of interruptions that influence the delay.", minimum: 0, default: 4, writeOnly: !0 }, callerResponseTimeout: { type: "integer", description: "Caller silence before the agent asks whether the caller is still there, in seconds.", minimum: 0, default: 13, writeOnly: !0 }, callerResponseTimeoutHangupCounter: { type: "integer", description: "Maximum number of such asks before the call is hung up.", minimum: 0, default: 3, writeOnly: !0 }, noContactInjection: { type: "boolean", description: "When true, the caller's contact card is not injected into the agent's context.", default: !1, writeOnly: !0 }, noConvoHistory: { type: "boolean", description: "When true, the history of the caller's call summaries is not injected.", default: !1, writeOnly: !0 }, autoRecordingNotification: { enum: ["true", "false", "always"], description: "`true`: notify callers from area codes where notice is legally required; `false`: never notify; `always`: notify every caller. The service wants a string; a YAML boolean is accepted and sent as one.", default: "true", writeOnly: !0 }, recordingNotificationPhrase: { type: "string", description: "Phrase spoken to announce recording.", default: "This call is being recorded.", writeOnly: !0 }, preAnswerRingTime: { type: ["integer", "null"], description: "Ringing that the caller experiences before the agent answers, in seconds, 1 to 60; null for none.", minimum: 1, maximum: 60, default: null, writeOnly: !0 }, preAnswerSkipProcessingResults: { type: "boolean", description: "When true, pre-answer functions return raw results straight to the agent's context without another model step.", default: !1, writeOnly: !0 }, skills: { description: "Declarative skill configuration for agent-runtime deployments.", type: "array", items: { type: "object", required: ["slug", "instructions"], additionalProperties: !1, properties: { slug: { description: "Canonical slug of the skill.", type: "string", minLength: 1 }, instructions: { type: "string", description: "Instructions written into the managed tools section on publish." } } }, default: [], "x-list-type": "map", "x-list-map-keys": ["slug"] }, apps: { description: "Apps enabled for the agent.", type: "array", items: { type: "object", required: ["appId", "version", "instructions"], additionalProperties: !1, properties: { appId: { description: "Identifier of the app.", type: "string", minLength: 1 }, version: { type: "string", description: "Version of the app's integration.", examples: ["v1"] }, instructions: { type: "string", description: "How the agent should use the app." } } }, default: [], "x-list-type": "map", "x-list-map-keys": ["appId"] }, backgroundAudio: { description: "Background audio on calls: an HTTP(S) URL, or an object. Members left out have their defaults; it is sent whole.", writeOnly: !0, "x-shorthand": "url", anyOf: [{ type: "string" }, { type: "object", additionalProperties: !1, properties: { url: { type: "string", description: "HTTP(S) URL of the audio." }, loop: { type: "boolean", description: "Play it again when it ends.", default: !0 }, gain: { type: "integer", description: "Gain; negative is quieter.", default: 0 }, startAfterGreeting: { type: "boolean", description: "Start once the greeting has been spoken.", default: !0 }, track: { enum: ["bg", "fx"], description: "`bg` ambient or `fx` foreground." } }, required: ["url"] }] }, cnamAutoRejectRegex: { type: ["string", "null"], description: "JavaScript regex. On inbound voice calls, a match of the SIP caller name rejects the call before answer. Reject wins over transfer when both match.", default: null, writeOnly: !0, examples: ["[Ss]pam"] }, cnamAutoRejectCode: { type: "integer", description: "SIP reject code used on a reject match.", minimum: 400, maximum: 699, default: 603, writeOnly: !0 }, cnamAutoTransferRegex: { type: ["string", "null"], description: "JavaScript regex. On inbound voice calls, a match, when reject did not match, transfers the call silently.", default: null, writeOnly: !0, examples: ["^VIP"] }, cnamAutoTransferDestination: { type: ["string", "null"], description: "E.164 phone number, or `ext:<number>`, or `pbx:<number>`.", default: null, writeOnly: !0, examples: ["ext:100"] }, confirmTransfers: { type: "boolean", description: "The callee must press 1 before the transfer completes.", default: !1, writeOnly: !0 }, monitorTransfers: { type: "boolean", description: "Keep monitoring and transcribing transferred calls.", default: !1, writeOnly: !0 }, attendedTransfers: { type: "boolean", description: "The agent stays on the line during transfer attempts and the answerer must say Yes. Overrides confirmTransfers.", default: !1, writeOnly: !0 }, attendedTransferBridgeTrigger: { type: ["string", "null"], description: "What the transferee must say for bridging: null (means Yes), `any`, or a JavaScript regex.", default: null, writeOnly: !0 }, transferConfirmTimeout: { type: "integer", description: "Wait for confirmation after a transfer with confirmTransfers or attendedTransfers is answered, in seconds.", minimum: 0, default: 30, writeOnly: !0 } }, additionalProperties: !0 };
function validate81(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate81.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.type === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.title === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "title" }, message: "must have required property 'title'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.description === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "description" }, message: "must have required property 'description'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.type !== void 0 && data.type !== "chatAgent") {
      let err3 = { instancePath: instancePath + "/type", schemaPath: "#/properties/type/const", keyword: "const", params: { allowedValue: "chatAgent" }, message: "must be equal to constant" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.title !== void 0 && typeof data.title != "string") {
      let err4 = { instancePath: instancePath + "/title", schemaPath: "#/properties/title/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.description !== void 0 && typeof data.description != "string") {
      let err5 = { instancePath: instancePath + "/description", schemaPath: "#/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    if (data.welcomeMessage !== void 0 && typeof data.welcomeMessage != "string") {
      let err6 = { instancePath: instancePath + "/welcomeMessage", schemaPath: "#/properties/welcomeMessage/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    if (data.links !== void 0) {
      let data4 = data.links;
      if (Array.isArray(data4)) {
        let len0 = data4.length;
        for (let i0 = 0; i0 < len0; i0++)
          if (typeof data4[i0] != "string") {
            let err7 = { instancePath: instancePath + "/links/" + i0, schemaPath: "#/properties/links/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
          }
      } else {
        let err8 = { instancePath: instancePath + "/links", schemaPath: "#/properties/links/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
    }
    if (data.actions !== void 0) {
      let data6 = data.actions;
      if (Array.isArray(data6)) {
        let len1 = data6.length;
        for (let i1 = 0; i1 < len1; i1++)
          if (typeof data6[i1] != "string") {
            let err9 = { instancePath: instancePath + "/actions/" + i1, schemaPath: "#/properties/actions/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
          }
      } else {
        let err10 = { instancePath: instancePath + "/actions", schemaPath: "#/properties/actions/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
      }
    }
    if (data.timezone !== void 0 && typeof data.timezone != "string") {
      let err11 = { instancePath: instancePath + "/timezone", schemaPath: "#/properties/timezone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
    }
    if (data.agentVoice !== void 0 && typeof data.agentVoice != "string") {
      let err12 = { instancePath: instancePath + "/agentVoice", schemaPath: "#/properties/agentVoice/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
    }
    if (data.agentLang !== void 0) {
      let data10 = data.agentLang;
      if (!(data10 === "en-US" || data10 === "multi" || data10 === "es-MX" || data10 === "es-ES" || data10 === "es-US")) {
        let err13 = { instancePath: instancePath + "/agentLang", schemaPath: "#/properties/agentLang/enum", keyword: "enum", params: { allowedValues: schema37.properties.agentLang.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
      }
    }
    if (data.agentInstructions !== void 0 && typeof data.agentInstructions != "string") {
      let err14 = { instancePath: instancePath + "/agentInstructions", schemaPath: "#/properties/agentInstructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
    }
    if (data.publicInstructions !== void 0 && typeof data.publicInstructions != "string") {
      let err15 = { instancePath: instancePath + "/publicInstructions", schemaPath: "#/properties/publicInstructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
    }
    if (data.adminInstructions !== void 0 && typeof data.adminInstructions != "string") {
      let err16 = { instancePath: instancePath + "/adminInstructions", schemaPath: "#/properties/adminInstructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
    }
    if (data.heartbeatInstructions !== void 0 && typeof data.heartbeatInstructions != "string") {
      let err17 = { instancePath: instancePath + "/heartbeatInstructions", schemaPath: "#/properties/heartbeatInstructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
    }
    if (data.heartbeatEvery !== void 0 && typeof data.heartbeatEvery != "string") {
      let err18 = { instancePath: instancePath + "/heartbeatEvery", schemaPath: "#/properties/heartbeatEvery/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
    }
    if (data.agentModel !== void 0 && typeof data.agentModel != "string") {
      let err19 = { instancePath: instancePath + "/agentModel", schemaPath: "#/properties/agentModel/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
    }
    if (data.agentThinking !== void 0) {
      let data17 = data.agentThinking;
      if (!(data17 === "low" || data17 === null)) {
        let err20 = { instancePath: instancePath + "/agentThinking", schemaPath: "#/properties/agentThinking/enum", keyword: "enum", params: { allowedValues: schema37.properties.agentThinking.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
      }
    }
    if (data.agentThinkingModel !== void 0 && typeof data.agentThinkingModel != "string") {
      let err21 = { instancePath: instancePath + "/agentThinkingModel", schemaPath: "#/properties/agentThinkingModel/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
    }
    if (data.postConvoForceThinking !== void 0 && typeof data.postConvoForceThinking != "boolean") {
      let err22 = { instancePath: instancePath + "/postConvoForceThinking", schemaPath: "#/properties/postConvoForceThinking/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
    }
    if (data.agentS2SEngine !== void 0) {
      let data20 = data.agentS2SEngine;
      if (!(data20 === "s2s_a" || data20 === "s2s_b" || data20 === null)) {
        let err23 = { instancePath: instancePath + "/agentS2SEngine", schemaPath: "#/properties/agentS2SEngine/enum", keyword: "enum", params: { allowedValues: schema37.properties.agentS2SEngine.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
      }
    }
    if (data.agentSttEngine !== void 0) {
      let data21 = data.agentSttEngine;
      if (!(data21 === "stt_a" || data21 === "stt_b" || data21 === "stt_b_flux" || data21 === "stt_c")) {
        let err24 = { instancePath: instancePath + "/agentSttEngine", schemaPath: "#/properties/agentSttEngine/enum", keyword: "enum", params: { allowedValues: schema37.properties.agentSttEngine.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
      }
    }
    if (data.agentSttSmartFormatting !== void 0 && typeof data.agentSttSmartFormatting != "boolean") {
      let err25 = { instancePath: instancePath + "/agentSttSmartFormatting", schemaPath: "#/properties/agentSttSmartFormatting/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
    }
    if (data.postAnswerDtmf !== void 0 && typeof data.postAnswerDtmf != "string") {
      let err26 = { instancePath: instancePath + "/postAnswerDtmf", schemaPath: "#/properties/postAnswerDtmf/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
    }
    if (data.waitOnAnswer !== void 0) {
      let data24 = data.waitOnAnswer;
      if (!(typeof data24 == "number" && !(data24 % 1) && !isNaN(data24))) {
        let err27 = { instancePath: instancePath + "/waitOnAnswer", schemaPath: "#/properties/waitOnAnswer/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
      }
      if (typeof data24 == "number" && (data24 < 0 || isNaN(data24))) {
        let err28 = { instancePath: instancePath + "/waitOnAnswer", schemaPath: "#/properties/waitOnAnswer/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
      }
    }
    if (data.interruptionWordCount !== void 0) {
      let data25 = data.interruptionWordCount;
      if (!(typeof data25 == "number" && !(data25 % 1) && !isNaN(data25))) {
        let err29 = { instancePath: instancePath + "/interruptionWordCount", schemaPath: "#/properties/interruptionWordCount/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
      }
      if (typeof data25 == "number" && (data25 < 0 || isNaN(data25))) {
        let err30 = { instancePath: instancePath + "/interruptionWordCount", schemaPath: "#/properties/interruptionWordCount/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
      }
    }
    if (data.interruptionMinimumSpeakingTime !== void 0) {
      let data26 = data.interruptionMinimumSpeakingTime;
      if (!(typeof data26 == "number" && !(data26 % 1) && !isNaN(data26))) {
        let err31 = { instancePath: instancePath + "/interruptionMinimumSpeakingTime", schemaPath: "#/properties/interruptionMinimumSpeakingTime/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
      }
      if (typeof data26 == "number" && (data26 < 0 || isNaN(data26))) {
        let err32 = { instancePath: instancePath + "/interruptionMinimumSpeakingTime", schemaPath: "#/properties/interruptionMinimumSpeakingTime/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
      }
    }
    if (data.speakingTimeout !== void 0) {
      let data27 = data.speakingTimeout;
      if (!(typeof data27 == "number" && !(data27 % 1) && !isNaN(data27))) {
        let err33 = { instancePath: instancePath + "/speakingTimeout", schemaPath: "#/properties/speakingTimeout/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
      }
      if (typeof data27 == "number" && (data27 < 0 || isNaN(data27))) {
        let err34 = { instancePath: instancePath + "/speakingTimeout", schemaPath: "#/properties/speakingTimeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err34] : vErrors.push(err34), errors++;
      }
    }
    if (data.speechProcessingDelay !== void 0) {
      let data28 = data.speechProcessingDelay;
      if (!(typeof data28 == "number" && !(data28 % 1) && !isNaN(data28))) {
        let err35 = { instancePath: instancePath + "/speechProcessingDelay", schemaPath: "#/properties/speechProcessingDelay/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err35] : vErrors.push(err35), errors++;
      }
      if (typeof data28 == "number" && (data28 < 0 || isNaN(data28))) {
        let err36 = { instancePath: instancePath + "/speechProcessingDelay", schemaPath: "#/properties/speechProcessingDelay/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err36] : vErrors.push(err36), errors++;
      }
    }
    if (data.speechProcessingDelayInterruptionStep !== void 0) {
      let data29 = data.speechProcessingDelayInterruptionStep;
      if (!(typeof data29 == "number" && !(data29 % 1) && !isNaN(data29))) {
        let err37 = { instancePath: instancePath + "/speechProcessingDelayInterruptionStep", schemaPath: "#/properties/speechProcessingDelayInterruptionStep/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err37] : vErrors.push(err37), errors++;
      }
      if (typeof data29 == "number" && (data29 < 0 || isNaN(data29))) {
        let err38 = { instancePath: instancePath + "/speechProcessingDelayInterruptionStep", schemaPath: "#/properties/speechProcessingDelayInterruptionStep/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err38] : vErrors.push(err38), errors++;
      }
    }
    if (data.speechProcessingDelayMaxMultiplier !== void 0) {
      let data30 = data.speechProcessingDelayMaxMultiplier;
      if (!(typeof data30 == "number" && !(data30 % 1) && !isNaN(data30))) {
        let err39 = { instancePath: instancePath + "/speechProcessingDelayMaxMultiplier", schemaPath: "#/properties/speechProcessingDelayMaxMultiplier/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err39] : vErrors.push(err39), errors++;
      }
      if (typeof data30 == "number" && (data30 < 0 || isNaN(data30))) {
        let err40 = { instancePath: instancePath + "/speechProcessingDelayMaxMultiplier", schemaPath: "#/properties/speechProcessingDelayMaxMultiplier/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err40] : vErrors.push(err40), errors++;
      }
    }
    if (data.callerResponseTimeout !== void 0) {
      let data31 = data.callerResponseTimeout;
      if (!(typeof data31 == "number" && !(data31 % 1) && !isNaN(data31))) {
        let err41 = { instancePath: instancePath + "/callerResponseTimeout", schemaPath: "#/properties/callerResponseTimeout/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err41] : vErrors.push(err41), errors++;
      }
      if (typeof data31 == "number" && (data31 < 0 || isNaN(data31))) {
        let err42 = { instancePath: instancePath + "/callerResponseTimeout", schemaPath: "#/properties/callerResponseTimeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err42] : vErrors.push(err42), errors++;
      }
    }
    if (data.callerResponseTimeoutHangupCounter !== void 0) {
      let data32 = data.callerResponseTimeoutHangupCounter;
      if (!(typeof data32 == "number" && !(data32 % 1) && !isNaN(data32))) {
        let err43 = { instancePath: instancePath + "/callerResponseTimeoutHangupCounter", schemaPath: "#/properties/callerResponseTimeoutHangupCounter/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err43] : vErrors.push(err43), errors++;
      }
      if (typeof data32 == "number" && (data32 < 0 || isNaN(data32))) {
        let err44 = { instancePath: instancePath + "/callerResponseTimeoutHangupCounter", schemaPath: "#/properties/callerResponseTimeoutHangupCounter/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err44] : vErrors.push(err44), errors++;
      }
    }
    if (data.noContactInjection !== void 0 && typeof data.noContactInjection != "boolean") {
      let err45 = { instancePath: instancePath + "/noContactInjection", schemaPath: "#/properties/noContactInjection/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err45] : vErrors.push(err45), errors++;
    }
    if (data.noConvoHistory !== void 0 && typeof data.noConvoHistory != "boolean") {
      let err46 = { instancePath: instancePath + "/noConvoHistory", schemaPath: "#/properties/noConvoHistory/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err46] : vErrors.push(err46), errors++;
    }
    if (data.autoRecordingNotification !== void 0) {
      let data35 = data.autoRecordingNotification;
      if (!(data35 === "true" || data35 === "false" || data35 === "always")) {
        let err47 = { instancePath: instancePath + "/autoRecordingNotification", schemaPath: "#/properties/autoRecordingNotification/enum", keyword: "enum", params: { allowedValues: schema37.properties.autoRecordingNotification.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err47] : vErrors.push(err47), errors++;
      }
    }
    if (data.recordingNotificationPhrase !== void 0 && typeof data.recordingNotificationPhrase != "string") {
      let err48 = { instancePath: instancePath + "/recordingNotificationPhrase", schemaPath: "#/properties/recordingNotificationPhrase/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err48] : vErrors.push(err48), errors++;
    }
    if (data.preAnswerRingTime !== void 0) {
      let data37 = data.preAnswerRingTime;
      if (!(typeof data37 == "number" && !(data37 % 1) && !isNaN(data37)) && data37 !== null) {
        let err49 = { instancePath: instancePath + "/preAnswerRingTime", schemaPath: "#/properties/preAnswerRingTime/type", keyword: "type", params: { type: schema37.properties.preAnswerRingTime.type }, message: "must be integer,null" };
        vErrors === null ? vErrors = [err49] : vErrors.push(err49), errors++;
      }
      if (typeof data37 == "number") {
        if (data37 > 60 || isNaN(data37)) {
          let err50 = { instancePath: instancePath + "/preAnswerRingTime", schemaPath: "#/properties/preAnswerRingTime/maximum", keyword: "maximum", params: { comparison: "<=", limit: 60 }, message: "must be <= 60" };
          vErrors === null ? vErrors = [err50] : vErrors.push(err50), errors++;
        }
        if (data37 < 1 || isNaN(data37)) {
          let err51 = { instancePath: instancePath + "/preAnswerRingTime", schemaPath: "#/properties/preAnswerRingTime/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          vErrors === null ? vErrors = [err51] : vErrors.push(err51), errors++;
        }
      }
    }
    if (data.preAnswerSkipProcessingResults !== void 0 && typeof data.preAnswerSkipProcessingResults != "boolean") {
      let err52 = { instancePath: instancePath + "/preAnswerSkipProcessingResults", schemaPath: "#/properties/preAnswerSkipProcessingResults/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err52] : vErrors.push(err52), errors++;
    }
    if (data.skills !== void 0) {
      let data39 = data.skills;
      if (Array.isArray(data39)) {
        let len2 = data39.length;
        for (let i2 = 0; i2 < len2; i2++) {
          let data40 = data39[i2];
          if (data40 && typeof data40 == "object" && !Array.isArray(data40)) {
            if (data40.slug === void 0) {
              let err53 = { instancePath: instancePath + "/skills/" + i2, schemaPath: "#/properties/skills/items/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
              vErrors === null ? vErrors = [err53] : vErrors.push(err53), errors++;
            }
            if (data40.instructions === void 0) {
              let err54 = { instancePath: instancePath + "/skills/" + i2, schemaPath: "#/properties/skills/items/required", keyword: "required", params: { missingProperty: "instructions" }, message: "must have required property 'instructions'" };
              vErrors === null ? vErrors = [err54] : vErrors.push(err54), errors++;
            }
            for (let key0 in data40)
              if (!(key0 === "slug" || key0 === "instructions")) {
                let err55 = { instancePath: instancePath + "/skills/" + i2, schemaPath: "#/properties/skills/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err55] : vErrors.push(err55), errors++;
              }
            if (data40.slug !== void 0) {
              let data41 = data40.slug;
              if (typeof data41 == "string") {
                if (func1(data41) < 1) {
                  let err56 = { instancePath: instancePath + "/skills/" + i2 + "/slug", schemaPath: "#/properties/skills/items/properties/slug/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err56] : vErrors.push(err56), errors++;
                }
              } else {
                let err57 = { instancePath: instancePath + "/skills/" + i2 + "/slug", schemaPath: "#/properties/skills/items/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err57] : vErrors.push(err57), errors++;
              }
            }
            if (data40.instructions !== void 0 && typeof data40.instructions != "string") {
              let err58 = { instancePath: instancePath + "/skills/" + i2 + "/instructions", schemaPath: "#/properties/skills/items/properties/instructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err58] : vErrors.push(err58), errors++;
            }
          } else {
            let err59 = { instancePath: instancePath + "/skills/" + i2, schemaPath: "#/properties/skills/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err59] : vErrors.push(err59), errors++;
          }
        }
      } else {
        let err60 = { instancePath: instancePath + "/skills", schemaPath: "#/properties/skills/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err60] : vErrors.push(err60), errors++;
      }
    }
    if (data.apps !== void 0) {
      let data43 = data.apps;
      if (Array.isArray(data43)) {
        let len3 = data43.length;
        for (let i3 = 0; i3 < len3; i3++) {
          let data44 = data43[i3];
          if (data44 && typeof data44 == "object" && !Array.isArray(data44)) {
            if (data44.appId === void 0) {
              let err61 = { instancePath: instancePath + "/apps/" + i3, schemaPath: "#/properties/apps/items/required", keyword: "required", params: { missingProperty: "appId" }, message: "must have required property 'appId'" };
              vErrors === null ? vErrors = [err61] : vErrors.push(err61), errors++;
            }
            if (data44.version === void 0) {
              let err62 = { instancePath: instancePath + "/apps/" + i3, schemaPath: "#/properties/apps/items/required", keyword: "required", params: { missingProperty: "version" }, message: "must have required property 'version'" };
              vErrors === null ? vErrors = [err62] : vErrors.push(err62), errors++;
            }
            if (data44.instructions === void 0) {
              let err63 = { instancePath: instancePath + "/apps/" + i3, schemaPath: "#/properties/apps/items/required", keyword: "required", params: { missingProperty: "instructions" }, message: "must have required property 'instructions'" };
              vErrors === null ? vErrors = [err63] : vErrors.push(err63), errors++;
            }
            for (let key1 in data44)
              if (!(key1 === "appId" || key1 === "version" || key1 === "instructions")) {
                let err64 = { instancePath: instancePath + "/apps/" + i3, schemaPath: "#/properties/apps/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err64] : vErrors.push(err64), errors++;
              }
            if (data44.appId !== void 0) {
              let data45 = data44.appId;
              if (typeof data45 == "string") {
                if (func1(data45) < 1) {
                  let err65 = { instancePath: instancePath + "/apps/" + i3 + "/appId", schemaPath: "#/properties/apps/items/properties/appId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err65] : vErrors.push(err65), errors++;
                }
              } else {
                let err66 = { instancePath: instancePath + "/apps/" + i3 + "/appId", schemaPath: "#/properties/apps/items/properties/appId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err66] : vErrors.push(err66), errors++;
              }
            }
            if (data44.version !== void 0 && typeof data44.version != "string") {
              let err67 = { instancePath: instancePath + "/apps/" + i3 + "/version", schemaPath: "#/properties/apps/items/properties/version/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err67] : vErrors.push(err67), errors++;
            }
            if (data44.instructions !== void 0 && typeof data44.instructions != "string") {
              let err68 = { instancePath: instancePath + "/apps/" + i3 + "/instructions", schemaPath: "#/properties/apps/items/properties/instructions/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err68] : vErrors.push(err68), errors++;
            }
          } else {
            let err69 = { instancePath: instancePath + "/apps/" + i3, schemaPath: "#/properties/apps/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err69] : vErrors.push(err69), errors++;
          }
        }
      } else {
        let err70 = { instancePath: instancePath + "/apps", schemaPath: "#/properties/apps/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err70] : vErrors.push(err70), errors++;
      }
    }
    if (data.backgroundAudio !== void 0) {
      let data48 = data.backgroundAudio, _errs95 = errors, valid11 = !1, _errs96 = errors;
      if (typeof data48 != "string") {
        let err71 = { instancePath: instancePath + "/backgroundAudio", schemaPath: "#/properties/backgroundAudio/anyOf/0/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err71] : vErrors.push(err71), errors++;
      }
      var _valid0 = _errs96 === errors;
      valid11 = valid11 || _valid0;
      let _errs98 = errors;
      if (data48 && typeof data48 == "object" && !Array.isArray(data48)) {
        if (data48.url === void 0) {
          let err72 = { instancePath: instancePath + "/backgroundAudio", schemaPath: "#/properties/backgroundAudio/anyOf/1/required", keyword: "required", params: { missingProperty: "url" }, message: "must have required property 'url'" };
          vErrors === null ? vErrors = [err72] : vErrors.push(err72), errors++;
        }
        for (let key2 in data48)
          if (!(key2 === "url" || key2 === "loop" || key2 === "gain" || key2 === "startAfterGreeting" || key2 === "track")) {
            let err73 = { instancePath: instancePath + "/backgroundAudio", schemaPath: "#/properties/backgroundAudio/anyOf/1/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err73] : vErrors.push(err73), errors++;
          }
        if (data48.url !== void 0 && typeof data48.url != "string") {
          let err74 = { instancePath: instancePath + "/backgroundAudio/url", schemaPath: "#/properties/backgroundAudio/anyOf/1/properties/url/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err74] : vErrors.push(err74), errors++;
        }
        if (data48.loop !== void 0 && typeof data48.loop != "boolean") {
          let err75 = { instancePath: instancePath + "/backgroundAudio/loop", schemaPath: "#/properties/backgroundAudio/anyOf/1/properties/loop/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err75] : vErrors.push(err75), errors++;
        }
        if (data48.gain !== void 0) {
          let data51 = data48.gain;
          if (!(typeof data51 == "number" && !(data51 % 1) && !isNaN(data51))) {
            let err76 = { instancePath: instancePath + "/backgroundAudio/gain", schemaPath: "#/properties/backgroundAudio/anyOf/1/properties/gain/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err76] : vErrors.push(err76), errors++;
          }
        }
        if (data48.startAfterGreeting !== void 0 && typeof data48.startAfterGreeting != "boolean") {
          let err77 = { instancePath: instancePath + "/backgroundAudio/startAfterGreeting", schemaPath: "#/properties/backgroundAudio/anyOf/1/properties/startAfterGreeting/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err77] : vErrors.push(err77), errors++;
        }
        if (data48.track !== void 0) {
          let data53 = data48.track;
          if (!(data53 === "bg" || data53 === "fx")) {
            let err78 = { instancePath: instancePath + "/backgroundAudio/track", schemaPath: "#/properties/backgroundAudio/anyOf/1/properties/track/enum", keyword: "enum", params: { allowedValues: schema37.properties.backgroundAudio.anyOf[1].properties.track.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err78] : vErrors.push(err78), errors++;
          }
        }
      } else {
        let err79 = { instancePath: instancePath + "/backgroundAudio", schemaPath: "#/properties/backgroundAudio/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err79] : vErrors.push(err79), errors++;
      }
      var _valid0 = _errs98 === errors;
      if (valid11 = valid11 || _valid0, valid11)
        errors = _errs95, vErrors !== null && (_errs95 ? vErrors.length = _errs95 : vErrors = null);
      else {
        let err80 = { instancePath: instancePath + "/backgroundAudio", schemaPath: "#/properties/backgroundAudio/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        vErrors === null ? vErrors = [err80] : vErrors.push(err80), errors++;
      }
    }
    if (data.cnamAutoRejectRegex !== void 0) {
      let data54 = data.cnamAutoRejectRegex;
      if (typeof data54 != "string" && data54 !== null) {
        let err81 = { instancePath: instancePath + "/cnamAutoRejectRegex", schemaPath: "#/properties/cnamAutoRejectRegex/type", keyword: "type", params: { type: schema37.properties.cnamAutoRejectRegex.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err81] : vErrors.push(err81), errors++;
      }
    }
    if (data.cnamAutoRejectCode !== void 0) {
      let data55 = data.cnamAutoRejectCode;
      if (!(typeof data55 == "number" && !(data55 % 1) && !isNaN(data55))) {
        let err82 = { instancePath: instancePath + "/cnamAutoRejectCode", schemaPath: "#/properties/cnamAutoRejectCode/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err82] : vErrors.push(err82), errors++;
      }
      if (typeof data55 == "number") {
        if (data55 > 699 || isNaN(data55)) {
          let err83 = { instancePath: instancePath + "/cnamAutoRejectCode", schemaPath: "#/properties/cnamAutoRejectCode/maximum", keyword: "maximum", params: { comparison: "<=", limit: 699 }, message: "must be <= 699" };
          vErrors === null ? vErrors = [err83] : vErrors.push(err83), errors++;
        }
        if (data55 < 400 || isNaN(data55)) {
          let err84 = { instancePath: instancePath + "/cnamAutoRejectCode", schemaPath: "#/properties/cnamAutoRejectCode/minimum", keyword: "minimum", params: { comparison: ">=", limit: 400 }, message: "must be >= 400" };
          vErrors === null ? vErrors = [err84] : vErrors.push(err84), errors++;
        }
      }
    }
    if (data.cnamAutoTransferRegex !== void 0) {
      let data56 = data.cnamAutoTransferRegex;
      if (typeof data56 != "string" && data56 !== null) {
        let err85 = { instancePath: instancePath + "/cnamAutoTransferRegex", schemaPath: "#/properties/cnamAutoTransferRegex/type", keyword: "type", params: { type: schema37.properties.cnamAutoTransferRegex.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err85] : vErrors.push(err85), errors++;
      }
    }
    if (data.cnamAutoTransferDestination !== void 0) {
      let data57 = data.cnamAutoTransferDestination;
      if (typeof data57 != "string" && data57 !== null) {
        let err86 = { instancePath: instancePath + "/cnamAutoTransferDestination", schemaPath: "#/properties/cnamAutoTransferDestination/type", keyword: "type", params: { type: schema37.properties.cnamAutoTransferDestination.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err86] : vErrors.push(err86), errors++;
      }
    }
    if (data.confirmTransfers !== void 0 && typeof data.confirmTransfers != "boolean") {
      let err87 = { instancePath: instancePath + "/confirmTransfers", schemaPath: "#/properties/confirmTransfers/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err87] : vErrors.push(err87), errors++;
    }
    if (data.monitorTransfers !== void 0 && typeof data.monitorTransfers != "boolean") {
      let err88 = { instancePath: instancePath + "/monitorTransfers", schemaPath: "#/properties/monitorTransfers/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err88] : vErrors.push(err88), errors++;
    }
    if (data.attendedTransfers !== void 0 && typeof data.attendedTransfers != "boolean") {
      let err89 = { instancePath: instancePath + "/attendedTransfers", schemaPath: "#/properties/attendedTransfers/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err89] : vErrors.push(err89), errors++;
    }
    if (data.attendedTransferBridgeTrigger !== void 0) {
      let data61 = data.attendedTransferBridgeTrigger;
      if (typeof data61 != "string" && data61 !== null) {
        let err90 = { instancePath: instancePath + "/attendedTransferBridgeTrigger", schemaPath: "#/properties/attendedTransferBridgeTrigger/type", keyword: "type", params: { type: schema37.properties.attendedTransferBridgeTrigger.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err90] : vErrors.push(err90), errors++;
      }
    }
    if (data.transferConfirmTimeout !== void 0) {
      let data62 = data.transferConfirmTimeout;
      if (!(typeof data62 == "number" && !(data62 % 1) && !isNaN(data62))) {
        let err91 = { instancePath: instancePath + "/transferConfirmTimeout", schemaPath: "#/properties/transferConfirmTimeout/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err91] : vErrors.push(err91), errors++;
      }
      if (typeof data62 == "number" && (data62 < 0 || isNaN(data62))) {
        let err92 = { instancePath: instancePath + "/transferConfirmTimeout", schemaPath: "#/properties/transferConfirmTimeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err92] : vErrors.push(err92), errors++;
      }
    }
  } else {
    let err93 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err93] : vErrors.push(err93), errors++;
  }
  return validate81.errors = vErrors, errors === 0;
}
validate81.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate80(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate80.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate81(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate81.errors : vErrors.concat(validate81.errors), errors = vErrors.length), validate80.errors = vErrors, errors === 0;
}
validate80.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var serviceTaskBody = validate83;
var schema39 = { description: "A task: a call, a text, an e-mail or a ping.", type: "object", required: ["type"], allOf: [{ if: { properties: { type: { enum: ["call", "text", "email"] } } }, then: { required: ["target"] } }], properties: { type: { description: "Kind of task.", enum: ["call", "text", "email", "ping"] }, target: { description: "Whom it goes to; required for call, text and email.", type: "string", minLength: 1 }, message: { description: "Body of an e-mail; raw HTML is supported.", type: "string" }, context: { description: "Context of the task.", type: "string" }, greeting: { description: "Greeting of the task.", type: "string" }, waitToGreet: { description: "Wait before the greeting.", type: "boolean" }, accountId: { description: "Account that the task is for.", type: "integer" }, scheduledFor: { description: "When, in seconds since the epoch.", type: "integer" }, meta: { description: "Task metadata.", type: "object", properties: { email: { description: "What an e-mail needs besides its body.", type: "object", properties: { subject: { description: "Subject.", type: "string" }, attachments: { description: "Attachments.", type: "array", items: { $ref: "#/components/schemas/Attachment" } } } }, bridgeAfterAnswer: { description: "For calls: whom to bridge the answered target to.", type: "object", required: ["destination"], properties: { destination: { description: "Number to bridge to.", type: "string", minLength: 1 }, monitor: { description: "Keep monitoring the bridged call.", type: "boolean" } } } } } } };
function validate85(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate85.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.filename === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "filename" }, message: "must have required property 'filename'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.type === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.content === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "content" }, message: "must have required property 'content'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.filename !== void 0) {
      let data0 = data.filename;
      if (typeof data0 == "string") {
        if (func1(data0) < 1) {
          let err3 = { instancePath: instancePath + "/filename", schemaPath: "#/properties/filename/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
        }
      } else {
        let err4 = { instancePath: instancePath + "/filename", schemaPath: "#/properties/filename/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.type !== void 0) {
      let data1 = data.type;
      if (typeof data1 == "string") {
        if (func1(data1) < 1) {
          let err5 = { instancePath: instancePath + "/type", schemaPath: "#/properties/type/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
        }
      } else {
        let err6 = { instancePath: instancePath + "/type", schemaPath: "#/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
    if (data.content !== void 0 && typeof data.content != "string") {
      let err7 = { instancePath: instancePath + "/content", schemaPath: "#/properties/content/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
    }
    if (data.disposition !== void 0 && typeof data.disposition != "string") {
      let err8 = { instancePath: instancePath + "/disposition", schemaPath: "#/properties/disposition/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
    }
  } else {
    let err9 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
  }
  return validate85.errors = vErrors, errors === 0;
}
validate85.evaluated = { props: { filename: !0, type: !0, content: !0, disposition: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate84(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate84.evaluated;
  evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0);
  let _errs2 = errors, valid1 = !0, _errs3 = errors;
  if (data && typeof data == "object" && !Array.isArray(data) && data.type !== void 0) {
    let data0 = data.type;
    if (!(data0 === "call" || data0 === "text" || data0 === "email")) {
      let err0 = {};
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
  }
  var _valid0 = _errs3 === errors;
  if (errors = _errs2, vErrors !== null && (_errs2 ? vErrors.length = _errs2 : vErrors = null), _valid0) {
    let _errs5 = errors;
    if (data && typeof data == "object" && !Array.isArray(data) && data.target === void 0) {
      let err1 = { instancePath, schemaPath: "#/allOf/0/then/required", keyword: "required", params: { missingProperty: "target" }, message: "must have required property 'target'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    var _valid0 = _errs5 === errors;
    valid1 = _valid0;
  }
  if (!valid1) {
    let err2 = { instancePath, schemaPath: "#/allOf/0/if", keyword: "if", params: { failingKeyword: "then" }, message: 'must match "then" schema' };
    vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.type === void 0) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.type !== void 0) {
      let data1 = data.type;
      if (!(data1 === "call" || data1 === "text" || data1 === "email" || data1 === "ping")) {
        let err4 = { instancePath: instancePath + "/type", schemaPath: "#/properties/type/enum", keyword: "enum", params: { allowedValues: schema39.properties.type.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.target !== void 0) {
      let data2 = data.target;
      if (typeof data2 == "string") {
        if (func1(data2) < 1) {
          let err5 = { instancePath: instancePath + "/target", schemaPath: "#/properties/target/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
        }
      } else {
        let err6 = { instancePath: instancePath + "/target", schemaPath: "#/properties/target/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
    if (data.message !== void 0 && typeof data.message != "string") {
      let err7 = { instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
    }
    if (data.context !== void 0 && typeof data.context != "string") {
      let err8 = { instancePath: instancePath + "/context", schemaPath: "#/properties/context/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
    }
    if (data.greeting !== void 0 && typeof data.greeting != "string") {
      let err9 = { instancePath: instancePath + "/greeting", schemaPath: "#/properties/greeting/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
    }
    if (data.waitToGreet !== void 0 && typeof data.waitToGreet != "boolean") {
      let err10 = { instancePath: instancePath + "/waitToGreet", schemaPath: "#/properties/waitToGreet/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
    }
    if (data.accountId !== void 0) {
      let data7 = data.accountId;
      if (!(typeof data7 == "number" && !(data7 % 1) && !isNaN(data7))) {
        let err11 = { instancePath: instancePath + "/accountId", schemaPath: "#/properties/accountId/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
      }
    }
    if (data.scheduledFor !== void 0) {
      let data8 = data.scheduledFor;
      if (!(typeof data8 == "number" && !(data8 % 1) && !isNaN(data8))) {
        let err12 = { instancePath: instancePath + "/scheduledFor", schemaPath: "#/properties/scheduledFor/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
      }
    }
    if (data.meta !== void 0) {
      let data9 = data.meta;
      if (data9 && typeof data9 == "object" && !Array.isArray(data9)) {
        if (data9.email !== void 0) {
          let data10 = data9.email;
          if (data10 && typeof data10 == "object" && !Array.isArray(data10)) {
            if (data10.subject !== void 0 && typeof data10.subject != "string") {
              let err13 = { instancePath: instancePath + "/meta/email/subject", schemaPath: "#/properties/meta/properties/email/properties/subject/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
            }
            if (data10.attachments !== void 0) {
              let data12 = data10.attachments;
              if (Array.isArray(data12)) {
                let len0 = data12.length;
                for (let i0 = 0; i0 < len0; i0++)
                  validate85(data12[i0], { instancePath: instancePath + "/meta/email/attachments/" + i0, parentData: data12, parentDataProperty: i0, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate85.errors : vErrors.concat(validate85.errors), errors = vErrors.length);
              } else {
                let err14 = { instancePath: instancePath + "/meta/email/attachments", schemaPath: "#/properties/meta/properties/email/properties/attachments/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
              }
            }
          } else {
            let err15 = { instancePath: instancePath + "/meta/email", schemaPath: "#/properties/meta/properties/email/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
          }
        }
        if (data9.bridgeAfterAnswer !== void 0) {
          let data14 = data9.bridgeAfterAnswer;
          if (data14 && typeof data14 == "object" && !Array.isArray(data14)) {
            if (data14.destination === void 0) {
              let err16 = { instancePath: instancePath + "/meta/bridgeAfterAnswer", schemaPath: "#/properties/meta/properties/bridgeAfterAnswer/required", keyword: "required", params: { missingProperty: "destination" }, message: "must have required property 'destination'" };
              vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
            }
            if (data14.destination !== void 0) {
              let data15 = data14.destination;
              if (typeof data15 == "string") {
                if (func1(data15) < 1) {
                  let err17 = { instancePath: instancePath + "/meta/bridgeAfterAnswer/destination", schemaPath: "#/properties/meta/properties/bridgeAfterAnswer/properties/destination/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
                }
              } else {
                let err18 = { instancePath: instancePath + "/meta/bridgeAfterAnswer/destination", schemaPath: "#/properties/meta/properties/bridgeAfterAnswer/properties/destination/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
              }
            }
            if (data14.monitor !== void 0 && typeof data14.monitor != "boolean") {
              let err19 = { instancePath: instancePath + "/meta/bridgeAfterAnswer/monitor", schemaPath: "#/properties/meta/properties/bridgeAfterAnswer/properties/monitor/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
              vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
            }
          } else {
            let err20 = { instancePath: instancePath + "/meta/bridgeAfterAnswer", schemaPath: "#/properties/meta/properties/bridgeAfterAnswer/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
          }
        }
      } else {
        let err21 = { instancePath: instancePath + "/meta", schemaPath: "#/properties/meta/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
      }
    }
  } else {
    let err22 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
  }
  return validate84.errors = vErrors, errors === 0;
}
validate84.evaluated = { props: { type: !0, target: !0, message: !0, context: !0, greeting: !0, waitToGreet: !0, accountId: !0, scheduledFor: !0, meta: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate83(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate83.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate84(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors), errors = vErrors.length), validate83.errors = vErrors, errors === 0;
}
validate83.evaluated = { props: { type: !0, target: !0, message: !0, context: !0, greeting: !0, waitToGreet: !0, accountId: !0, scheduledFor: !0, meta: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceAttachment = validate88;
function validate89(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate89.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.filename === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "filename" }, message: "must have required property 'filename'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.type === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.content === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "content" }, message: "must have required property 'content'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.filename !== void 0) {
      let data0 = data.filename;
      if (typeof data0 == "string") {
        if (func1(data0) < 1) {
          let err3 = { instancePath: instancePath + "/filename", schemaPath: "#/properties/filename/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
        }
      } else {
        let err4 = { instancePath: instancePath + "/filename", schemaPath: "#/properties/filename/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.type !== void 0) {
      let data1 = data.type;
      if (typeof data1 == "string") {
        if (func1(data1) < 1) {
          let err5 = { instancePath: instancePath + "/type", schemaPath: "#/properties/type/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
        }
      } else {
        let err6 = { instancePath: instancePath + "/type", schemaPath: "#/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
    if (data.content !== void 0 && typeof data.content != "string") {
      let err7 = { instancePath: instancePath + "/content", schemaPath: "#/properties/content/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
    }
    if (data.disposition !== void 0 && typeof data.disposition != "string") {
      let err8 = { instancePath: instancePath + "/disposition", schemaPath: "#/properties/disposition/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
    }
  } else {
    let err9 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
  }
  return validate89.errors = vErrors, errors === 0;
}
validate89.evaluated = { props: { filename: !0, type: !0, content: !0, disposition: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate88(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate88.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate89(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate89.errors : vErrors.concat(validate89.errors), errors = vErrors.length), validate88.errors = vErrors, errors === 0;
}
validate88.evaluated = { props: { filename: !0, type: !0, content: !0, disposition: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceTaskCreated = validate91;
var schema44 = { description: "The specification does not show the shape.", type: "object", properties: { success: { type: "boolean" }, message: { type: ["string", "null"] } } };
function validate92(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate92.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success !== void 0 && typeof data.success != "boolean") {
      let err0 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.message !== void 0) {
      let data1 = data.message;
      if (typeof data1 != "string" && data1 !== null) {
        let err1 = { instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: schema44.properties.message.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    }
  } else {
    let err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
  }
  return validate92.errors = vErrors, errors === 0;
}
validate92.evaluated = { props: { success: !0, message: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate91(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate91.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate92(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate92.errors : vErrors.concat(validate92.errors), errors = vErrors.length), validate91.errors = vErrors, errors === 0;
}
validate91.evaluated = { props: { success: !0, message: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceTaskUpload = validate94;
var schema46 = { type: "object", required: ["csv"], properties: { csv: { description: "The file, with a header row.", type: "string", format: "binary" }, dryRun: { description: "`true` to validate only.", enum: ["true", "false"] } } };
function validate95(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate95.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.csv === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "csv" }, message: "must have required property 'csv'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.csv !== void 0 && typeof data.csv != "string") {
      let err1 = { instancePath: instancePath + "/csv", schemaPath: "#/properties/csv/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.dryRun !== void 0) {
      let data1 = data.dryRun;
      if (!(data1 === "true" || data1 === "false")) {
        let err2 = { instancePath: instancePath + "/dryRun", schemaPath: "#/properties/dryRun/enum", keyword: "enum", params: { allowedValues: schema46.properties.dryRun.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
  } else {
    let err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
  }
  return validate95.errors = vErrors, errors === 0;
}
validate95.evaluated = { props: { csv: !0, dryRun: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate94(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate94.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate95(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate95.errors : vErrors.concat(validate95.errors), errors = vErrors.length), validate94.errors = vErrors, errors === 0;
}
validate94.evaluated = { props: { csv: !0, dryRun: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceTasksUploaded = validate97;
var schema48 = { description: "The specification does not show the shape.", type: "object", properties: { success: { type: "boolean" }, message: { type: ["string", "null"] } } };
function validate98(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate98.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success !== void 0 && typeof data.success != "boolean") {
      let err0 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.message !== void 0) {
      let data1 = data.message;
      if (typeof data1 != "string" && data1 !== null) {
        let err1 = { instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: schema48.properties.message.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    }
  } else {
    let err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
  }
  return validate98.errors = vErrors, errors === 0;
}
validate98.evaluated = { props: { success: !0, message: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate97(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate97.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate98(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate98.errors : vErrors.concat(validate98.errors), errors = vErrors.length), validate97.errors = vErrors, errors === 0;
}
validate97.evaluated = { props: { success: !0, message: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceOrganizationCreated = validate100;
var schema50 = { description: "The specification does not show the organization's fields.", type: "object", properties: { success: { type: "boolean" }, message: { type: ["string", "null"] }, organization: { type: ["object", "null"] } } };
function validate101(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate101.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.success !== void 0 && typeof data.success != "boolean") {
      let err0 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.message !== void 0) {
      let data1 = data.message;
      if (typeof data1 != "string" && data1 !== null) {
        let err1 = { instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: schema50.properties.message.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    }
    if (data.organization !== void 0) {
      let data2 = data.organization;
      if (!(data2 && typeof data2 == "object" && !Array.isArray(data2)) && data2 !== null) {
        let err2 = { instancePath: instancePath + "/organization", schemaPath: "#/properties/organization/type", keyword: "type", params: { type: schema50.properties.organization.type }, message: "must be object,null" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
  } else {
    let err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
  }
  return validate101.errors = vErrors, errors === 0;
}
validate101.evaluated = { props: { success: !0, message: !0, organization: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate100(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate100.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate101(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate101.errors : vErrors.concat(validate101.errors), errors = vErrors.length), validate100.errors = vErrors, errors === 0;
}
validate100.evaluated = { props: { success: !0, message: !0, organization: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceAgentUrlSet = validate103;
var schema52 = { type: "object", required: ["slug"], properties: { success: { type: "boolean" }, message: { type: ["string", "null"] }, slug: { type: "string" } } };
function validate104(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate104.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.slug === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.success !== void 0 && typeof data.success != "boolean") {
      let err1 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.message !== void 0) {
      let data1 = data.message;
      if (typeof data1 != "string" && data1 !== null) {
        let err2 = { instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: schema52.properties.message.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.slug !== void 0 && typeof data.slug != "string") {
      let err3 = { instancePath: instancePath + "/slug", schemaPath: "#/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
  } else {
    let err4 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
  }
  return validate104.errors = vErrors, errors === 0;
}
validate104.evaluated = { props: { success: !0, message: !0, slug: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate103(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate103.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate104(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate104.errors : vErrors.concat(validate104.errors), errors = vErrors.length), validate103.errors = vErrors, errors === 0;
}
validate103.evaluated = { props: { success: !0, message: !0, slug: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceConversations = validate106;
var schema54 = { type: "object", required: ["rooms"], properties: { success: { type: "boolean" }, message: { type: ["string", "null"] }, pageSize: { type: ["integer", "null"] }, pageNumber: { type: ["integer", "null"] }, totalRooms: { type: ["integer", "null"] }, rooms: { type: "array", items: { $ref: "#/components/schemas/Room" } } } }, schema55 = { description: "A room of the priority inbox.", type: "object", required: ["roomId"], properties: { roomId: { type: "string" }, name: { type: ["string", "null"] }, id: { type: ["integer", "null"] }, image: { type: ["string", "null"] }, servicePhoneNumber: { type: ["string", "null"] }, unregistered: { type: ["boolean", "null"] }, unregisteredDisplayName: { type: ["string", "null"] }, destinationInboxType: { type: ["string", "null"] }, lastMessage: { type: ["string", "null"] }, lastMessageTimestamp: { description: "In seconds since the epoch.", type: ["integer", "null"] }, chatAgentCampaignId: { type: ["string", "null"] } } };
function validate108(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate108.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.roomId === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "roomId" }, message: "must have required property 'roomId'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.roomId !== void 0 && typeof data.roomId != "string") {
      let err1 = { instancePath: instancePath + "/roomId", schemaPath: "#/properties/roomId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.name !== void 0) {
      let data1 = data.name;
      if (typeof data1 != "string" && data1 !== null) {
        let err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: schema55.properties.name.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.id !== void 0) {
      let data2 = data.id;
      if (!(typeof data2 == "number" && !(data2 % 1) && !isNaN(data2)) && data2 !== null) {
        let err3 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: schema55.properties.id.type }, message: "must be integer,null" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.image !== void 0) {
      let data3 = data.image;
      if (typeof data3 != "string" && data3 !== null) {
        let err4 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/type", keyword: "type", params: { type: schema55.properties.image.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.servicePhoneNumber !== void 0) {
      let data4 = data.servicePhoneNumber;
      if (typeof data4 != "string" && data4 !== null) {
        let err5 = { instancePath: instancePath + "/servicePhoneNumber", schemaPath: "#/properties/servicePhoneNumber/type", keyword: "type", params: { type: schema55.properties.servicePhoneNumber.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.unregistered !== void 0) {
      let data5 = data.unregistered;
      if (typeof data5 != "boolean" && data5 !== null) {
        let err6 = { instancePath: instancePath + "/unregistered", schemaPath: "#/properties/unregistered/type", keyword: "type", params: { type: schema55.properties.unregistered.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
    if (data.unregisteredDisplayName !== void 0) {
      let data6 = data.unregisteredDisplayName;
      if (typeof data6 != "string" && data6 !== null) {
        let err7 = { instancePath: instancePath + "/unregisteredDisplayName", schemaPath: "#/properties/unregisteredDisplayName/type", keyword: "type", params: { type: schema55.properties.unregisteredDisplayName.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
    }
    if (data.destinationInboxType !== void 0) {
      let data7 = data.destinationInboxType;
      if (typeof data7 != "string" && data7 !== null) {
        let err8 = { instancePath: instancePath + "/destinationInboxType", schemaPath: "#/properties/destinationInboxType/type", keyword: "type", params: { type: schema55.properties.destinationInboxType.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
    }
    if (data.lastMessage !== void 0) {
      let data8 = data.lastMessage;
      if (typeof data8 != "string" && data8 !== null) {
        let err9 = { instancePath: instancePath + "/lastMessage", schemaPath: "#/properties/lastMessage/type", keyword: "type", params: { type: schema55.properties.lastMessage.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
      }
    }
    if (data.lastMessageTimestamp !== void 0) {
      let data9 = data.lastMessageTimestamp;
      if (!(typeof data9 == "number" && !(data9 % 1) && !isNaN(data9)) && data9 !== null) {
        let err10 = { instancePath: instancePath + "/lastMessageTimestamp", schemaPath: "#/properties/lastMessageTimestamp/type", keyword: "type", params: { type: schema55.properties.lastMessageTimestamp.type }, message: "must be integer,null" };
        vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
      }
    }
    if (data.chatAgentCampaignId !== void 0) {
      let data10 = data.chatAgentCampaignId;
      if (typeof data10 != "string" && data10 !== null) {
        let err11 = { instancePath: instancePath + "/chatAgentCampaignId", schemaPath: "#/properties/chatAgentCampaignId/type", keyword: "type", params: { type: schema55.properties.chatAgentCampaignId.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
      }
    }
  } else {
    let err12 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
  }
  return validate108.errors = vErrors, errors === 0;
}
validate108.evaluated = { props: { roomId: !0, name: !0, id: !0, image: !0, servicePhoneNumber: !0, unregistered: !0, unregisteredDisplayName: !0, destinationInboxType: !0, lastMessage: !0, lastMessageTimestamp: !0, chatAgentCampaignId: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate107(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate107.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.rooms === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "rooms" }, message: "must have required property 'rooms'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.success !== void 0 && typeof data.success != "boolean") {
      let err1 = { instancePath: instancePath + "/success", schemaPath: "#/properties/success/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.message !== void 0) {
      let data1 = data.message;
      if (typeof data1 != "string" && data1 !== null) {
        let err2 = { instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: schema54.properties.message.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.pageSize !== void 0) {
      let data2 = data.pageSize;
      if (!(typeof data2 == "number" && !(data2 % 1) && !isNaN(data2)) && data2 !== null) {
        let err3 = { instancePath: instancePath + "/pageSize", schemaPath: "#/properties/pageSize/type", keyword: "type", params: { type: schema54.properties.pageSize.type }, message: "must be integer,null" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.pageNumber !== void 0) {
      let data3 = data.pageNumber;
      if (!(typeof data3 == "number" && !(data3 % 1) && !isNaN(data3)) && data3 !== null) {
        let err4 = { instancePath: instancePath + "/pageNumber", schemaPath: "#/properties/pageNumber/type", keyword: "type", params: { type: schema54.properties.pageNumber.type }, message: "must be integer,null" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.totalRooms !== void 0) {
      let data4 = data.totalRooms;
      if (!(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4)) && data4 !== null) {
        let err5 = { instancePath: instancePath + "/totalRooms", schemaPath: "#/properties/totalRooms/type", keyword: "type", params: { type: schema54.properties.totalRooms.type }, message: "must be integer,null" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.rooms !== void 0) {
      let data5 = data.rooms;
      if (Array.isArray(data5)) {
        let len0 = data5.length;
        for (let i0 = 0; i0 < len0; i0++)
          validate108(data5[i0], { instancePath: instancePath + "/rooms/" + i0, parentData: data5, parentDataProperty: i0, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate108.errors : vErrors.concat(validate108.errors), errors = vErrors.length);
      } else {
        let err6 = { instancePath: instancePath + "/rooms", schemaPath: "#/properties/rooms/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
  } else {
    let err7 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
  }
  return validate107.errors = vErrors, errors === 0;
}
validate107.evaluated = { props: { success: !0, message: !0, pageSize: !0, pageNumber: !0, totalRooms: !0, rooms: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate106(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate106.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate107(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate107.errors : vErrors.concat(validate107.errors), errors = vErrors.length), validate106.errors = vErrors, errors === 0;
}
validate106.evaluated = { props: { success: !0, message: !0, pageSize: !0, pageNumber: !0, totalRooms: !0, rooms: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceRoom = validate111;
function validate112(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate112.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.roomId === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "roomId" }, message: "must have required property 'roomId'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.roomId !== void 0 && typeof data.roomId != "string") {
      let err1 = { instancePath: instancePath + "/roomId", schemaPath: "#/properties/roomId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.name !== void 0) {
      let data1 = data.name;
      if (typeof data1 != "string" && data1 !== null) {
        let err2 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: schema55.properties.name.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.id !== void 0) {
      let data2 = data.id;
      if (!(typeof data2 == "number" && !(data2 % 1) && !isNaN(data2)) && data2 !== null) {
        let err3 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: schema55.properties.id.type }, message: "must be integer,null" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.image !== void 0) {
      let data3 = data.image;
      if (typeof data3 != "string" && data3 !== null) {
        let err4 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/type", keyword: "type", params: { type: schema55.properties.image.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.servicePhoneNumber !== void 0) {
      let data4 = data.servicePhoneNumber;
      if (typeof data4 != "string" && data4 !== null) {
        let err5 = { instancePath: instancePath + "/servicePhoneNumber", schemaPath: "#/properties/servicePhoneNumber/type", keyword: "type", params: { type: schema55.properties.servicePhoneNumber.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.unregistered !== void 0) {
      let data5 = data.unregistered;
      if (typeof data5 != "boolean" && data5 !== null) {
        let err6 = { instancePath: instancePath + "/unregistered", schemaPath: "#/properties/unregistered/type", keyword: "type", params: { type: schema55.properties.unregistered.type }, message: "must be boolean,null" };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
    if (data.unregisteredDisplayName !== void 0) {
      let data6 = data.unregisteredDisplayName;
      if (typeof data6 != "string" && data6 !== null) {
        let err7 = { instancePath: instancePath + "/unregisteredDisplayName", schemaPath: "#/properties/unregisteredDisplayName/type", keyword: "type", params: { type: schema55.properties.unregisteredDisplayName.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
    }
    if (data.destinationInboxType !== void 0) {
      let data7 = data.destinationInboxType;
      if (typeof data7 != "string" && data7 !== null) {
        let err8 = { instancePath: instancePath + "/destinationInboxType", schemaPath: "#/properties/destinationInboxType/type", keyword: "type", params: { type: schema55.properties.destinationInboxType.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
    }
    if (data.lastMessage !== void 0) {
      let data8 = data.lastMessage;
      if (typeof data8 != "string" && data8 !== null) {
        let err9 = { instancePath: instancePath + "/lastMessage", schemaPath: "#/properties/lastMessage/type", keyword: "type", params: { type: schema55.properties.lastMessage.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
      }
    }
    if (data.lastMessageTimestamp !== void 0) {
      let data9 = data.lastMessageTimestamp;
      if (!(typeof data9 == "number" && !(data9 % 1) && !isNaN(data9)) && data9 !== null) {
        let err10 = { instancePath: instancePath + "/lastMessageTimestamp", schemaPath: "#/properties/lastMessageTimestamp/type", keyword: "type", params: { type: schema55.properties.lastMessageTimestamp.type }, message: "must be integer,null" };
        vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
      }
    }
    if (data.chatAgentCampaignId !== void 0) {
      let data10 = data.chatAgentCampaignId;
      if (typeof data10 != "string" && data10 !== null) {
        let err11 = { instancePath: instancePath + "/chatAgentCampaignId", schemaPath: "#/properties/chatAgentCampaignId/type", keyword: "type", params: { type: schema55.properties.chatAgentCampaignId.type }, message: "must be string,null" };
        vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
      }
    }
  } else {
    let err12 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
  }
  return validate112.errors = vErrors, errors === 0;
}
validate112.evaluated = { props: { roomId: !0, name: !0, id: !0, image: !0, servicePhoneNumber: !0, unregistered: !0, unregisteredDisplayName: !0, destinationInboxType: !0, lastMessage: !0, lastMessageTimestamp: !0, chatAgentCampaignId: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate111(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate111.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate112(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate112.errors : vErrors.concat(validate112.errors), errors = vErrors.length), validate111.errors = vErrors, errors === 0;
}
validate111.evaluated = { props: { roomId: !0, name: !0, id: !0, image: !0, servicePhoneNumber: !0, unregistered: !0, unregisteredDisplayName: !0, destinationInboxType: !0, lastMessage: !0, lastMessageTimestamp: !0, chatAgentCampaignId: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceOrganizationBody = validate114;
var schema59 = { "x-generated-from": "manifest.schema.json#/$defs/Organization", type: "object", required: ["orgName"], properties: { orgName: { type: "string", description: "Name of the organization.", writeOnly: !0 }, email: { type: "string", description: "E-mail address of the administrator of the new organization.", writeOnly: !0 }, accountName: { type: "string", description: "Name of the default agent.", writeOnly: !0 }, orgAccountType: { enum: ["internal", "customer"], description: "`internal` is billed through the reseller's usage, `customer` may have full subscriptions.", default: "customer", writeOnly: !0 }, productPlanId: { type: "string", description: "Plan of the organization; the reseller's sell-plan if left out.", writeOnly: !0 }, offeredProductPlanId: { type: "string", description: "Plan that is offered to the organization.", writeOnly: !0 }, externalAccountId: { type: "string", description: "Your own id of this customer.", writeOnly: !0 }, externalBillingId: { type: "string", description: "Id in your billing system.", writeOnly: !0 }, hipaaSetting: { enum: ["on", "off", "inherit"], description: "`inherit` takes the reseller's.", writeOnly: !0 }, numberingProviders: { description: "Numbering providers with their credentials.", type: "array", items: { type: "object", required: ["providerId", "config"], additionalProperties: !1, properties: { providerId: { description: "The provider.", type: "string", minLength: 1 }, config: { description: "Credentials at the provider; texts only as ${secret.NAME}.", type: "object", additionalProperties: !0, "x-sensitive": !0 }, default: { type: "boolean", description: "Use this provider by default." } } }, "x-list-type": "map", "x-list-map-keys": ["providerId"], writeOnly: !0 }, servicePremium: { type: "boolean", description: "The account pays actively.", writeOnly: !0 }, smsEnabled: { type: "boolean", description: "Enables SMS on the agent.", writeOnly: !0 }, smsBrandId: { type: "string", description: "Registered SMS brand.", writeOnly: !0 }, smsCampaignId: { type: "string", description: "Approved SMS campaign.", writeOnly: !0 }, integrations: { description: "Integrations with their credentials and settings.", type: "array", items: { type: "object", required: ["appId", "appVersion", "appData"], additionalProperties: !1, properties: { appId: { description: "The app.", type: "string", minLength: 1 }, appVersion: { type: "string", description: "Version of the integration." }, appData: { description: "Credentials and settings of the app; texts only as ${secret.NAME}.", type: "object", additionalProperties: !0, "x-sensitive": !0 } } }, "x-list-type": "map", "x-list-map-keys": ["appId"], writeOnly: !0 } }, additionalProperties: !0 };
function validate115(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate115.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.orgName === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "orgName" }, message: "must have required property 'orgName'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.orgName !== void 0 && typeof data.orgName != "string") {
      let err1 = { instancePath: instancePath + "/orgName", schemaPath: "#/properties/orgName/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.email !== void 0 && typeof data.email != "string") {
      let err2 = { instancePath: instancePath + "/email", schemaPath: "#/properties/email/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.accountName !== void 0 && typeof data.accountName != "string") {
      let err3 = { instancePath: instancePath + "/accountName", schemaPath: "#/properties/accountName/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.orgAccountType !== void 0) {
      let data3 = data.orgAccountType;
      if (!(data3 === "internal" || data3 === "customer")) {
        let err4 = { instancePath: instancePath + "/orgAccountType", schemaPath: "#/properties/orgAccountType/enum", keyword: "enum", params: { allowedValues: schema59.properties.orgAccountType.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.productPlanId !== void 0 && typeof data.productPlanId != "string") {
      let err5 = { instancePath: instancePath + "/productPlanId", schemaPath: "#/properties/productPlanId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    if (data.offeredProductPlanId !== void 0 && typeof data.offeredProductPlanId != "string") {
      let err6 = { instancePath: instancePath + "/offeredProductPlanId", schemaPath: "#/properties/offeredProductPlanId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    if (data.externalAccountId !== void 0 && typeof data.externalAccountId != "string") {
      let err7 = { instancePath: instancePath + "/externalAccountId", schemaPath: "#/properties/externalAccountId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
    }
    if (data.externalBillingId !== void 0 && typeof data.externalBillingId != "string") {
      let err8 = { instancePath: instancePath + "/externalBillingId", schemaPath: "#/properties/externalBillingId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
    }
    if (data.hipaaSetting !== void 0) {
      let data8 = data.hipaaSetting;
      if (!(data8 === "on" || data8 === "off" || data8 === "inherit")) {
        let err9 = { instancePath: instancePath + "/hipaaSetting", schemaPath: "#/properties/hipaaSetting/enum", keyword: "enum", params: { allowedValues: schema59.properties.hipaaSetting.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
      }
    }
    if (data.numberingProviders !== void 0) {
      let data9 = data.numberingProviders;
      if (Array.isArray(data9)) {
        let len0 = data9.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data10 = data9[i0];
          if (data10 && typeof data10 == "object" && !Array.isArray(data10)) {
            if (data10.providerId === void 0) {
              let err10 = { instancePath: instancePath + "/numberingProviders/" + i0, schemaPath: "#/properties/numberingProviders/items/required", keyword: "required", params: { missingProperty: "providerId" }, message: "must have required property 'providerId'" };
              vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
            }
            if (data10.config === void 0) {
              let err11 = { instancePath: instancePath + "/numberingProviders/" + i0, schemaPath: "#/properties/numberingProviders/items/required", keyword: "required", params: { missingProperty: "config" }, message: "must have required property 'config'" };
              vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
            }
            for (let key0 in data10)
              if (!(key0 === "providerId" || key0 === "config" || key0 === "default")) {
                let err12 = { instancePath: instancePath + "/numberingProviders/" + i0, schemaPath: "#/properties/numberingProviders/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
              }
            if (data10.providerId !== void 0) {
              let data11 = data10.providerId;
              if (typeof data11 == "string") {
                if (func1(data11) < 1) {
                  let err13 = { instancePath: instancePath + "/numberingProviders/" + i0 + "/providerId", schemaPath: "#/properties/numberingProviders/items/properties/providerId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
                }
              } else {
                let err14 = { instancePath: instancePath + "/numberingProviders/" + i0 + "/providerId", schemaPath: "#/properties/numberingProviders/items/properties/providerId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
              }
            }
            if (data10.config !== void 0) {
              let data12 = data10.config;
              if (!(data12 && typeof data12 == "object" && !Array.isArray(data12))) {
                let err15 = { instancePath: instancePath + "/numberingProviders/" + i0 + "/config", schemaPath: "#/properties/numberingProviders/items/properties/config/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
              }
            }
            if (data10.default !== void 0 && typeof data10.default != "boolean") {
              let err16 = { instancePath: instancePath + "/numberingProviders/" + i0 + "/default", schemaPath: "#/properties/numberingProviders/items/properties/default/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
              vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
            }
          } else {
            let err17 = { instancePath: instancePath + "/numberingProviders/" + i0, schemaPath: "#/properties/numberingProviders/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
          }
        }
      } else {
        let err18 = { instancePath: instancePath + "/numberingProviders", schemaPath: "#/properties/numberingProviders/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
      }
    }
    if (data.servicePremium !== void 0 && typeof data.servicePremium != "boolean") {
      let err19 = { instancePath: instancePath + "/servicePremium", schemaPath: "#/properties/servicePremium/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
    }
    if (data.smsEnabled !== void 0 && typeof data.smsEnabled != "boolean") {
      let err20 = { instancePath: instancePath + "/smsEnabled", schemaPath: "#/properties/smsEnabled/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
    }
    if (data.smsBrandId !== void 0 && typeof data.smsBrandId != "string") {
      let err21 = { instancePath: instancePath + "/smsBrandId", schemaPath: "#/properties/smsBrandId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
    }
    if (data.smsCampaignId !== void 0 && typeof data.smsCampaignId != "string") {
      let err22 = { instancePath: instancePath + "/smsCampaignId", schemaPath: "#/properties/smsCampaignId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
    }
    if (data.integrations !== void 0) {
      let data18 = data.integrations;
      if (Array.isArray(data18)) {
        let len1 = data18.length;
        for (let i1 = 0; i1 < len1; i1++) {
          let data19 = data18[i1];
          if (data19 && typeof data19 == "object" && !Array.isArray(data19)) {
            if (data19.appId === void 0) {
              let err23 = { instancePath: instancePath + "/integrations/" + i1, schemaPath: "#/properties/integrations/items/required", keyword: "required", params: { missingProperty: "appId" }, message: "must have required property 'appId'" };
              vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
            }
            if (data19.appVersion === void 0) {
              let err24 = { instancePath: instancePath + "/integrations/" + i1, schemaPath: "#/properties/integrations/items/required", keyword: "required", params: { missingProperty: "appVersion" }, message: "must have required property 'appVersion'" };
              vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
            }
            if (data19.appData === void 0) {
              let err25 = { instancePath: instancePath + "/integrations/" + i1, schemaPath: "#/properties/integrations/items/required", keyword: "required", params: { missingProperty: "appData" }, message: "must have required property 'appData'" };
              vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
            }
            for (let key1 in data19)
              if (!(key1 === "appId" || key1 === "appVersion" || key1 === "appData")) {
                let err26 = { instancePath: instancePath + "/integrations/" + i1, schemaPath: "#/properties/integrations/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
              }
            if (data19.appId !== void 0) {
              let data20 = data19.appId;
              if (typeof data20 == "string") {
                if (func1(data20) < 1) {
                  let err27 = { instancePath: instancePath + "/integrations/" + i1 + "/appId", schemaPath: "#/properties/integrations/items/properties/appId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
                }
              } else {
                let err28 = { instancePath: instancePath + "/integrations/" + i1 + "/appId", schemaPath: "#/properties/integrations/items/properties/appId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
              }
            }
            if (data19.appVersion !== void 0 && typeof data19.appVersion != "string") {
              let err29 = { instancePath: instancePath + "/integrations/" + i1 + "/appVersion", schemaPath: "#/properties/integrations/items/properties/appVersion/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
            }
            if (data19.appData !== void 0) {
              let data22 = data19.appData;
              if (!(data22 && typeof data22 == "object" && !Array.isArray(data22))) {
                let err30 = { instancePath: instancePath + "/integrations/" + i1 + "/appData", schemaPath: "#/properties/integrations/items/properties/appData/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
              }
            }
          } else {
            let err31 = { instancePath: instancePath + "/integrations/" + i1, schemaPath: "#/properties/integrations/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
          }
        }
      } else {
        let err32 = { instancePath: instancePath + "/integrations", schemaPath: "#/properties/integrations/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
      }
    }
  } else {
    let err33 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
  }
  return validate115.errors = vErrors, errors === 0;
}
validate115.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate114(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate114.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate115(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate115.errors : vErrors.concat(validate115.errors), errors = vErrors.length), validate114.errors = vErrors, errors === 0;
}
validate114.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var serviceMemberInvitation = validate117;
function validate118(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate118.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.email === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "email" }, message: "must have required property 'email'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.email !== void 0 && typeof data.email != "string") {
      let err1 = { instancePath: instancePath + "/email", schemaPath: "#/properties/email/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.redirectUrl !== void 0 && typeof data.redirectUrl != "string") {
      let err2 = { instancePath: instancePath + "/redirectUrl", schemaPath: "#/properties/redirectUrl/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.role !== void 0 && typeof data.role != "string") {
      let err3 = { instancePath: instancePath + "/role", schemaPath: "#/properties/role/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.permittedAccountIds !== void 0) {
      let data3 = data.permittedAccountIds;
      if (Array.isArray(data3)) {
        let len0 = data3.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data4 = data3[i0];
          if (!(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4))) {
            let err4 = { instancePath: instancePath + "/permittedAccountIds/" + i0, schemaPath: "#/properties/permittedAccountIds/items/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
          }
        }
      } else {
        let err5 = { instancePath: instancePath + "/permittedAccountIds", schemaPath: "#/properties/permittedAccountIds/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.sendWelcomeEmail !== void 0 && typeof data.sendWelcomeEmail != "boolean") {
      let err6 = { instancePath: instancePath + "/sendWelcomeEmail", schemaPath: "#/properties/sendWelcomeEmail/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
  } else {
    let err7 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
  }
  return validate118.errors = vErrors, errors === 0;
}
validate118.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate117(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate117.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate118(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors), errors = vErrors.length), validate117.errors = vErrors, errors === 0;
}
validate117.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var serviceMemberUpdate = validate120;
function validate121(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate121.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.targetMemberId === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "targetMemberId" }, message: "must have required property 'targetMemberId'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.targetMemberId !== void 0) {
      let data0 = data.targetMemberId;
      if (!(typeof data0 == "number" && !(data0 % 1) && !isNaN(data0))) {
        let err1 = { instancePath: instancePath + "/targetMemberId", schemaPath: "#/properties/targetMemberId/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    }
    if (data.email !== void 0 && typeof data.email != "string") {
      let err2 = { instancePath: instancePath + "/email", schemaPath: "#/properties/email/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.role !== void 0 && typeof data.role != "string") {
      let err3 = { instancePath: instancePath + "/role", schemaPath: "#/properties/role/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.permittedAccountIds !== void 0) {
      let data3 = data.permittedAccountIds;
      if (Array.isArray(data3)) {
        let len0 = data3.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data4 = data3[i0];
          if (!(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4))) {
            let err4 = { instancePath: instancePath + "/permittedAccountIds/" + i0, schemaPath: "#/properties/permittedAccountIds/items/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
          }
        }
      } else {
        let err5 = { instancePath: instancePath + "/permittedAccountIds", schemaPath: "#/properties/permittedAccountIds/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
  } else {
    let err6 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
  }
  return validate121.errors = vErrors, errors === 0;
}
validate121.evaluated = { props: { targetMemberId: !0, email: !0, role: !0, permittedAccountIds: !0 }, dynamicProps: !1, dynamicItems: !1 };
function validate120(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate120.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate121(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate121.errors : vErrors.concat(validate121.errors), errors = vErrors.length), validate120.errors = vErrors, errors === 0;
}
validate120.evaluated = { props: { targetMemberId: !0, email: !0, role: !0, permittedAccountIds: !0 }, dynamicProps: !1, dynamicItems: !1 };
var serviceContextBody = validate123;
function validate124(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate124.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.context === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "context" }, message: "must have required property 'context'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.context !== void 0 && typeof data.context != "string") {
      let err1 = { instancePath: instancePath + "/context", schemaPath: "#/properties/context/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.target !== void 0 && typeof data.target != "string") {
      let err2 = { instancePath: instancePath + "/target", schemaPath: "#/properties/target/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
  } else {
    let err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
  }
  return validate124.errors = vErrors, errors === 0;
}
validate124.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate123(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate123.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate124(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate124.errors : vErrors.concat(validate124.errors), errors = vErrors.length), validate123.errors = vErrors, errors === 0;
}
validate123.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var serviceAgentUrlBody = validate126;
function validate127(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate127.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.targetUsername === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "targetUsername" }, message: "must have required property 'targetUsername'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.slug === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "slug" }, message: "must have required property 'slug'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.targetUsername !== void 0 && typeof data.targetUsername != "string") {
      let err2 = { instancePath: instancePath + "/targetUsername", schemaPath: "#/properties/targetUsername/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.slug !== void 0 && typeof data.slug != "string") {
      let err3 = { instancePath: instancePath + "/slug", schemaPath: "#/properties/slug/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
  } else {
    let err4 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
  }
  return validate127.errors = vErrors, errors === 0;
}
validate127.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate126(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate126.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate127(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate127.errors : vErrors.concat(validate127.errors), errors = vErrors.length), validate126.errors = vErrors, errors === 0;
}
validate126.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var servicePhoneNumberBody = validate129;
function validate130(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate130.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.number === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "number" }, message: "must have required property 'number'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.number !== void 0 && typeof data.number != "string") {
      let err1 = { instancePath: instancePath + "/number", schemaPath: "#/properties/number/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
  } else {
    let err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
  }
  return validate130.errors = vErrors, errors === 0;
}
validate130.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate129(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate129.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate130(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate130.errors : vErrors.concat(validate130.errors), errors = vErrors.length), validate129.errors = vErrors, errors === 0;
}
validate129.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
export {
  serviceAgentAnswer,
  serviceAgentBody,
  serviceAgentUpdated,
  serviceAgentUrlBody,
  serviceAgentUrlSet,
  serviceAttachment,
  serviceCampaign,
  serviceContextBody,
  serviceConversations,
  serviceLiveAction,
  serviceLiveSkill,
  serviceMemberInvitation,
  serviceMemberUpdate,
  serviceOrganizationBody,
  serviceOrganizationCreated,
  serviceOutcome,
  servicePhoneNumberBody,
  serviceRoom,
  serviceTaskBody,
  serviceTaskCreated,
  serviceTaskUpload,
  serviceTasksUploaded
};
