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
var schema20 = { title: "PhoneNumber", description: "A customer-supplied phone number, assigned to an agent.", type: "object", required: ["apiVersion", "kind"], additionalProperties: !1, properties: { apiVersion: { $ref: "#/$defs/ApiVersion" }, kind: { const: "PhoneNumber" }, name: { $ref: "#/$defs/Name" }, extends: { $ref: "#/$defs/Extends" }, agent: { description: "Name of the agent manifest that the number belongs to.", $ref: "#/$defs/Name" }, organization: { $ref: "#/$defs/OrganizationReference" }, settings: { $ref: "#/$defs/PhoneNumberSettings" }, target: { description: "Not for a phone number, which uses the target of its agent.", $ref: "#/$defs/AccountTarget" }, environments: { description: "Overlays: what differs in an environment of the project, deep-merged over the rest.", type: "object", additionalProperties: { $ref: "#/$defs/PhoneNumberOverlay" } } } }, func1 = Object.prototype.hasOwnProperty;
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
function validate61(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate61.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), typeof data == "string") {
    if (!pattern3.test(data)) {
      let err0 = { instancePath, schemaPath: "#/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, message: 'must match pattern "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"' };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
  } else {
    let err1 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "string" }, message: "must be string" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate61.errors = vErrors, errors === 0;
}
validate61.evaluated = { dynamicProps: !1, dynamicItems: !1 };
function validate65(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate65.evaluated;
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
  return validate65.errors = vErrors, errors === 0;
}
validate65.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate64(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate64.evaluated;
  evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0);
  let _errs0 = errors, valid0 = !1, _errs1 = errors;
  if (typeof data != "string") {
    let err0 = { instancePath, schemaPath: "#/anyOf/0/type", keyword: "type", params: { type: "string" }, message: "must be string" };
    vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
  }
  var _valid0 = _errs1 === errors;
  valid0 = valid0 || _valid0;
  let _errs3 = errors;
  validate65(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors), errors = vErrors.length);
  var _valid0 = _errs3 === errors;
  if (valid0 = valid0 || _valid0, _valid0)
    var props0 = !0;
  if (valid0)
    errors = _errs0, vErrors !== null && (_errs0 ? vErrors.length = _errs0 : vErrors = null);
  else {
    let err1 = { instancePath, schemaPath: "#/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate64.errors = vErrors, evaluated0.props = props0, errors === 0;
}
validate64.evaluated = { dynamicProps: !0, dynamicItems: !1 };
function validate63(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate63.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 in data)
      if (key0 !== "number") {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    data.number !== void 0 && (validate64(data.number, { instancePath: instancePath + "/number", parentData: data, parentDataProperty: "number", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate64.errors : vErrors.concat(validate64.errors), errors = vErrors.length));
  } else {
    let err1 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate63.errors = vErrors, errors === 0;
}
validate63.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var schema29 = { description: "Extra query parameters of every call, such as targetAccountId.", type: "object", additionalProperties: { type: ["string", "integer", "boolean"] } };
function validate70(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate70.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data))
    for (let key0 in data) {
      let data0 = data[key0];
      if (typeof data0 != "string" && !(typeof data0 == "number" && !(data0 % 1) && !isNaN(data0)) && typeof data0 != "boolean") {
        let err0 = { instancePath: instancePath + "/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/additionalProperties/type", keyword: "type", params: { type: schema29.additionalProperties.type }, message: "must be string,integer,boolean" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    }
  else {
    let err1 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate70.errors = vErrors, errors === 0;
}
validate70.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate69(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate69.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 in data)
      if (!(key0 === "token" || key0 === "query")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.token !== void 0 && typeof data.token != "string") {
      let err1 = { instancePath: instancePath + "/token", schemaPath: "#/properties/token/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    data.query !== void 0 && (validate70(data.query, { instancePath: instancePath + "/query", parentData: data, parentDataProperty: "query", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors), errors = vErrors.length));
  } else {
    let err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
  }
  return validate69.errors = vErrors, errors === 0;
}
validate69.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate73(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate73.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 in data)
      if (!(key0 === "agent" || key0 === "settings" || key0 === "target")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    data.agent !== void 0 && (validate56(data.agent, { instancePath: instancePath + "/agent", parentData: data, parentDataProperty: "agent", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors), errors = vErrors.length)), data.settings !== void 0 && (validate63(data.settings, { instancePath: instancePath + "/settings", parentData: data, parentDataProperty: "settings", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors), errors = vErrors.length)), data.target !== void 0 && (validate69(data.target, { instancePath: instancePath + "/target", parentData: data, parentDataProperty: "target", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate69.errors : vErrors.concat(validate69.errors), errors = vErrors.length));
  } else {
    let err1 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate73.errors = vErrors, errors === 0;
}
validate73.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
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
    if (data.apiVersion !== void 0 && (validate54(data.apiVersion, { instancePath: instancePath + "/apiVersion", parentData: data, parentDataProperty: "apiVersion", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors), errors = vErrors.length)), data.kind !== void 0 && data.kind !== "PhoneNumber") {
      let err3 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/const", keyword: "const", params: { allowedValue: "PhoneNumber" }, message: "must be equal to constant" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.name !== void 0 && (validate56(data.name, { instancePath: instancePath + "/name", parentData: data, parentDataProperty: "name", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors), errors = vErrors.length)), data.extends !== void 0 && (validate58(data.extends, { instancePath: instancePath + "/extends", parentData: data, parentDataProperty: "extends", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate58.errors : vErrors.concat(validate58.errors), errors = vErrors.length)), data.agent !== void 0 && (validate56(data.agent, { instancePath: instancePath + "/agent", parentData: data, parentDataProperty: "agent", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors), errors = vErrors.length)), data.organization !== void 0 && (validate61(data.organization, { instancePath: instancePath + "/organization", parentData: data, parentDataProperty: "organization", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors), errors = vErrors.length)), data.settings !== void 0 && (validate63(data.settings, { instancePath: instancePath + "/settings", parentData: data, parentDataProperty: "settings", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors), errors = vErrors.length)), data.target !== void 0 && (validate69(data.target, { instancePath: instancePath + "/target", parentData: data, parentDataProperty: "target", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate69.errors : vErrors.concat(validate69.errors), errors = vErrors.length)), data.environments !== void 0) {
      let data8 = data.environments;
      if (data8 && typeof data8 == "object" && !Array.isArray(data8))
        for (let key1 in data8)
          validate73(data8[key1], { instancePath: instancePath + "/environments/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), parentData: data8, parentDataProperty: key1, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors), errors = vErrors.length);
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
var resolved = validate79, schema31 = { title: "PhoneNumber", description: "A customer-supplied phone number, assigned to an agent.", type: "object", required: ["apiVersion", "kind"], additionalProperties: !1, properties: { apiVersion: { description: "The version of this format.", const: "agentform/v1" }, kind: { const: "PhoneNumber" }, name: { description: "The identity of the resource in the project, unique per kind. A base has none.", type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, extends: { description: "A base inside the project folder, outside `manifests`, relative to this file. The nearer value wins, maps merge, keyed lists merge by key, other lists are replaced.", type: "string", minLength: 1 }, agent: { description: "Name of the agent manifest that the number belongs to.", type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, organization: { description: "Name of the Organization manifest whose account the calls act for.", type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, settings: { description: "A number of your own, as POST /api/v2/phoneNumber/byo/assign names its fields.", type: "object", "x-spread": !0, additionalProperties: !1, properties: { number: { type: "string", description: "E.164 phone number.", writeOnly: !0, examples: ["+14155550100"] } }, required: ["number"] }, target: { description: "Not for a phone number, which uses the target of its agent.", type: "object", additionalProperties: !1, properties: { token: { description: "The API token, only ever as ${secret.NAME}.", type: "string", "x-sensitive": !0 }, query: { description: "Extra query parameters of every call, such as targetAccountId.", type: "object", additionalProperties: { type: ["string", "integer", "boolean"] } } } }, environments: { description: "Overlays: what differs in an environment of the project, deep-merged over the rest.", type: "object", additionalProperties: { description: "What differs in one environment.", type: "object", additionalProperties: !1, properties: { agent: { description: "Name of the agent manifest that the number belongs to.", type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, settings: { description: "A number of your own, as POST /api/v2/phoneNumber/byo/assign names its fields.", type: "object", "x-spread": !0, additionalProperties: !1, properties: { number: { type: "string", description: "E.164 phone number.", writeOnly: !0, examples: ["+14155550100"] } }, required: ["number"] }, target: { description: "Not for a phone number, which uses the target of its agent.", type: "object", additionalProperties: !1, properties: { token: { description: "The API token, only ever as ${secret.NAME}.", type: "string", "x-sensitive": !0 }, query: { description: "Extra query parameters of every call, such as targetAccountId.", type: "object", additionalProperties: { type: ["string", "integer", "boolean"] } } } } } } } }, $id: "urn:validator:resolved" };
function validate79(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate79.evaluated;
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
      if (!func1.call(schema31.properties, key0)) {
        let err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    if (data.apiVersion !== void 0 && data.apiVersion !== "agentform/v1") {
      let err3 = { instancePath: instancePath + "/apiVersion", schemaPath: "#/properties/apiVersion/const", keyword: "const", params: { allowedValue: "agentform/v1" }, message: "must be equal to constant" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.kind !== void 0 && data.kind !== "PhoneNumber") {
      let err4 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/const", keyword: "const", params: { allowedValue: "PhoneNumber" }, message: "must be equal to constant" };
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
    if (data.agent !== void 0) {
      let data4 = data.agent;
      if (typeof data4 == "string") {
        if (!pattern3.test(data4)) {
          let err9 = { instancePath: instancePath + "/agent", schemaPath: "#/properties/agent/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, message: 'must match pattern "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"' };
          vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
        }
      } else {
        let err10 = { instancePath: instancePath + "/agent", schemaPath: "#/properties/agent/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
      }
    }
    if (data.organization !== void 0) {
      let data5 = data.organization;
      if (typeof data5 == "string") {
        if (!pattern3.test(data5)) {
          let err11 = { instancePath: instancePath + "/organization", schemaPath: "#/properties/organization/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, message: 'must match pattern "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"' };
          vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
        }
      } else {
        let err12 = { instancePath: instancePath + "/organization", schemaPath: "#/properties/organization/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
      }
    }
    if (data.settings !== void 0) {
      let data6 = data.settings;
      if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
        if (data6.number === void 0) {
          let err13 = { instancePath: instancePath + "/settings", schemaPath: "#/properties/settings/required", keyword: "required", params: { missingProperty: "number" }, message: "must have required property 'number'" };
          vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
        }
        for (let key1 in data6)
          if (key1 !== "number") {
            let err14 = { instancePath: instancePath + "/settings", schemaPath: "#/properties/settings/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
          }
        if (data6.number !== void 0 && typeof data6.number != "string") {
          let err15 = { instancePath: instancePath + "/settings/number", schemaPath: "#/properties/settings/properties/number/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
        }
      } else {
        let err16 = { instancePath: instancePath + "/settings", schemaPath: "#/properties/settings/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
      }
    }
    if (data.target !== void 0) {
      let data8 = data.target;
      if (data8 && typeof data8 == "object" && !Array.isArray(data8)) {
        for (let key2 in data8)
          if (!(key2 === "token" || key2 === "query")) {
            let err17 = { instancePath: instancePath + "/target", schemaPath: "#/properties/target/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
          }
        if (data8.token !== void 0 && typeof data8.token != "string") {
          let err18 = { instancePath: instancePath + "/target/token", schemaPath: "#/properties/target/properties/token/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
        }
        if (data8.query !== void 0) {
          let data10 = data8.query;
          if (data10 && typeof data10 == "object" && !Array.isArray(data10))
            for (let key3 in data10) {
              let data11 = data10[key3];
              if (typeof data11 != "string" && !(typeof data11 == "number" && !(data11 % 1) && !isNaN(data11)) && typeof data11 != "boolean") {
                let err19 = { instancePath: instancePath + "/target/query/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/target/properties/query/additionalProperties/type", keyword: "type", params: { type: schema31.properties.target.properties.query.additionalProperties.type }, message: "must be string,integer,boolean" };
                vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
              }
            }
          else {
            let err20 = { instancePath: instancePath + "/target/query", schemaPath: "#/properties/target/properties/query/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
          }
        }
      } else {
        let err21 = { instancePath: instancePath + "/target", schemaPath: "#/properties/target/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
      }
    }
    if (data.environments !== void 0) {
      let data12 = data.environments;
      if (data12 && typeof data12 == "object" && !Array.isArray(data12))
        for (let key4 in data12) {
          let data13 = data12[key4];
          if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
            for (let key5 in data13)
              if (!(key5 === "agent" || key5 === "settings" || key5 === "target")) {
                let err22 = { instancePath: instancePath + "/environments/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/environments/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
              }
            if (data13.agent !== void 0) {
              let data14 = data13.agent;
              if (typeof data14 == "string") {
                if (!pattern3.test(data14)) {
                  let err23 = { instancePath: instancePath + "/environments/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/agent", schemaPath: "#/properties/environments/additionalProperties/properties/agent/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, message: 'must match pattern "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"' };
                  vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
                }
              } else {
                let err24 = { instancePath: instancePath + "/environments/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/agent", schemaPath: "#/properties/environments/additionalProperties/properties/agent/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
              }
            }
            if (data13.settings !== void 0) {
              let data15 = data13.settings;
              if (data15 && typeof data15 == "object" && !Array.isArray(data15)) {
                if (data15.number === void 0) {
                  let err25 = { instancePath: instancePath + "/environments/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings", schemaPath: "#/properties/environments/additionalProperties/properties/settings/required", keyword: "required", params: { missingProperty: "number" }, message: "must have required property 'number'" };
                  vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
                }
                for (let key6 in data15)
                  if (key6 !== "number") {
                    let err26 = { instancePath: instancePath + "/environments/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings", schemaPath: "#/properties/environments/additionalProperties/properties/settings/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties" };
                    vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
                  }
                if (data15.number !== void 0 && typeof data15.number != "string") {
                  let err27 = { instancePath: instancePath + "/environments/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/number", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/number/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
                }
              } else {
                let err28 = { instancePath: instancePath + "/environments/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings", schemaPath: "#/properties/environments/additionalProperties/properties/settings/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
              }
            }
            if (data13.target !== void 0) {
              let data17 = data13.target;
              if (data17 && typeof data17 == "object" && !Array.isArray(data17)) {
                for (let key7 in data17)
                  if (!(key7 === "token" || key7 === "query")) {
                    let err29 = { instancePath: instancePath + "/environments/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/target", schemaPath: "#/properties/environments/additionalProperties/properties/target/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties" };
                    vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
                  }
                if (data17.token !== void 0 && typeof data17.token != "string") {
                  let err30 = { instancePath: instancePath + "/environments/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/target/token", schemaPath: "#/properties/environments/additionalProperties/properties/target/properties/token/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
                }
                if (data17.query !== void 0) {
                  let data19 = data17.query;
                  if (data19 && typeof data19 == "object" && !Array.isArray(data19))
                    for (let key8 in data19) {
                      let data20 = data19[key8];
                      if (typeof data20 != "string" && !(typeof data20 == "number" && !(data20 % 1) && !isNaN(data20)) && typeof data20 != "boolean") {
                        let err31 = { instancePath: instancePath + "/environments/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/target/query/" + key8.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/environments/additionalProperties/properties/target/properties/query/additionalProperties/type", keyword: "type", params: { type: schema31.properties.environments.additionalProperties.properties.target.properties.query.additionalProperties.type }, message: "must be string,integer,boolean" };
                        vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
                      }
                    }
                  else {
                    let err32 = { instancePath: instancePath + "/environments/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/target/query", schemaPath: "#/properties/environments/additionalProperties/properties/target/properties/query/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
                  }
                }
              } else {
                let err33 = { instancePath: instancePath + "/environments/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/target", schemaPath: "#/properties/environments/additionalProperties/properties/target/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
              }
            }
          } else {
            let err34 = { instancePath: instancePath + "/environments/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/environments/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err34] : vErrors.push(err34), errors++;
          }
        }
      else {
        let err35 = { instancePath: instancePath + "/environments", schemaPath: "#/properties/environments/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err35] : vErrors.push(err35), errors++;
      }
    }
  } else {
    let err36 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err36] : vErrors.push(err36), errors++;
  }
  return validate79.errors = vErrors, errors === 0;
}
validate79.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
export {
  authored,
  resolved
};
