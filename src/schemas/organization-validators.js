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
var schema20 = { title: "Organization", description: "An organization under a reseller account. There is no update operation.", type: "object", required: ["apiVersion", "kind"], additionalProperties: !1, properties: { apiVersion: { $ref: "#/$defs/ApiVersion" }, kind: { const: "Organization" }, name: { $ref: "#/$defs/Name" }, extends: { $ref: "#/$defs/Extends" }, resellerId: { description: "The reseller under which it is created; that of the environment if left out.", type: ["string", "integer"], minLength: 1 }, settings: { $ref: "#/$defs/OrganizationSettings" }, target: { $ref: "#/$defs/AccountTarget" }, environments: { description: "Overlays: what differs in an environment of the project, deep-merged over the rest.", type: "object", additionalProperties: { $ref: "#/$defs/OrganizationOverlay" } } } };
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
var func1 = require_ucs2length().default;
function validate58(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate58.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), typeof data == "string") {
    if (func1(data) < 1) {
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
var schema24 = { description: "The organization, as POST /api/v2/createOrganization names its fields.", type: "object", "x-spread": !0, "x-required": ["orgName"], additionalProperties: !1, properties: { orgName: { description: "Name of the organization.", $ref: "#/$defs/Text", writeOnly: !0 }, email: { description: "E-mail address of the administrator of the new organization.", $ref: "#/$defs/Text", writeOnly: !0 }, accountName: { description: "Name of the default agent.", $ref: "#/$defs/Text", writeOnly: !0 }, orgAccountType: { description: "`internal` is billed through the reseller's usage, `customer` may have full subscriptions.", anyOf: [{ enum: ["internal", "customer"] }, { $ref: "#/$defs/Interpolated" }], default: "customer", writeOnly: !0 }, productPlanId: { description: "Plan of the organization; the reseller's sell-plan if left out.", $ref: "#/$defs/Text", writeOnly: !0 }, offeredProductPlanId: { description: "Plan that is offered to the organization.", $ref: "#/$defs/Text", writeOnly: !0 }, externalAccountId: { description: "Your own id of this customer.", $ref: "#/$defs/Text", writeOnly: !0 }, externalBillingId: { description: "Id in your billing system.", $ref: "#/$defs/Text", writeOnly: !0 }, hipaaSetting: { description: "`inherit` takes the reseller's.", anyOf: [{ enum: ["on", "off", "inherit"] }, { $ref: "#/$defs/Interpolated" }], writeOnly: !0 }, numberingProviders: { description: "Numbering providers with their credentials.", type: "array", items: { $ref: "#/$defs/NumberingProvider" }, "x-list-type": "map", "x-list-map-keys": ["providerId"], writeOnly: !0 }, servicePremium: { description: "The account pays actively.", $ref: "#/$defs/Boolean", writeOnly: !0 }, smsEnabled: { description: "Enables SMS on the agent.", $ref: "#/$defs/Boolean", writeOnly: !0 }, smsBrandId: { description: "Registered SMS brand.", $ref: "#/$defs/Text", writeOnly: !0 }, smsCampaignId: { description: "Approved SMS campaign.", $ref: "#/$defs/Text", writeOnly: !0 }, integrations: { description: "Integrations with their credentials and settings.", type: "array", items: { $ref: "#/$defs/Integration" }, "x-list-type": "map", "x-list-map-keys": ["appId"], writeOnly: !0 } } }, func3 = Object.prototype.hasOwnProperty;
function validate62(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate62.evaluated;
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
        if (func1(data0) < 1) {
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
  return validate62.errors = vErrors, errors === 0;
}
validate62.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate61(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate61.evaluated;
  evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0);
  let _errs0 = errors, valid0 = !1, _errs1 = errors;
  if (typeof data != "string") {
    let err0 = { instancePath, schemaPath: "#/anyOf/0/type", keyword: "type", params: { type: "string" }, message: "must be string" };
    vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
  }
  var _valid0 = _errs1 === errors;
  valid0 = valid0 || _valid0;
  let _errs3 = errors;
  validate62(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors), errors = vErrors.length);
  var _valid0 = _errs3 === errors;
  if (valid0 = valid0 || _valid0, _valid0)
    var props0 = !0;
  if (valid0)
    errors = _errs0, vErrors !== null && (_errs0 ? vErrors.length = _errs0 : vErrors = null);
  else {
    let err1 = { instancePath, schemaPath: "#/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate61.errors = vErrors, evaluated0.props = props0, errors === 0;
}
validate61.evaluated = { dynamicProps: !0, dynamicItems: !1 };
var pattern4 = new RegExp("\\$\\{(var|secret)\\.", "u");
function validate67(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate67.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), typeof data == "string") {
    if (!pattern4.test(data)) {
      let err0 = { instancePath, schemaPath: "#/pattern", keyword: "pattern", params: { pattern: "\\$\\{(var|secret)\\." }, message: 'must match pattern "\\$\\{(var|secret)\\."' };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
  } else {
    let err1 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "string" }, message: "must be string" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate67.errors = vErrors, errors === 0;
}
validate67.evaluated = { dynamicProps: !1, dynamicItems: !1 };
function validate75(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate75.evaluated;
  evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0);
  let _errs0 = errors, valid0 = !1, _errs1 = errors;
  if (typeof data != "boolean") {
    let err0 = { instancePath, schemaPath: "#/anyOf/0/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
    vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
  }
  var _valid0 = _errs1 === errors;
  valid0 = valid0 || _valid0;
  let _errs3 = errors;
  validate67(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors), errors = vErrors.length);
  var _valid0 = _errs3 === errors;
  if (valid0 = valid0 || _valid0, valid0)
    errors = _errs0, vErrors !== null && (_errs0 ? vErrors.length = _errs0 : vErrors = null);
  else {
    let err1 = { instancePath, schemaPath: "#/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate75.errors = vErrors, errors === 0;
}
validate75.evaluated = { dynamicProps: !1, dynamicItems: !1 };
function validate74(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate74.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.providerId === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "providerId" }, message: "must have required property 'providerId'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "providerId" || key0 === "config" || key0 === "default")) {
        let err1 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    if (data.providerId !== void 0) {
      let data0 = data.providerId;
      if (typeof data0 == "string") {
        if (func1(data0) < 1) {
          let err2 = { instancePath: instancePath + "/providerId", schemaPath: "#/properties/providerId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
        }
      } else {
        let err3 = { instancePath: instancePath + "/providerId", schemaPath: "#/properties/providerId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.config !== void 0) {
      let data1 = data.config;
      if (!(data1 && typeof data1 == "object" && !Array.isArray(data1))) {
        let err4 = { instancePath: instancePath + "/config", schemaPath: "#/properties/config/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    data.default !== void 0 && (validate75(data.default, { instancePath: instancePath + "/default", parentData: data, parentDataProperty: "default", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate75.errors : vErrors.concat(validate75.errors), errors = vErrors.length));
  } else {
    let err5 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
  }
  return validate74.errors = vErrors, errors === 0;
}
validate74.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate83(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate83.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.appId === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "appId" }, message: "must have required property 'appId'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "appId" || key0 === "appVersion" || key0 === "appData")) {
        let err1 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    if (data.appId !== void 0) {
      let data0 = data.appId;
      if (typeof data0 == "string") {
        if (func1(data0) < 1) {
          let err2 = { instancePath: instancePath + "/appId", schemaPath: "#/properties/appId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
        }
      } else {
        let err3 = { instancePath: instancePath + "/appId", schemaPath: "#/properties/appId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.appVersion !== void 0 && (validate61(data.appVersion, { instancePath: instancePath + "/appVersion", parentData: data, parentDataProperty: "appVersion", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors), errors = vErrors.length)), data.appData !== void 0) {
      let data2 = data.appData;
      if (!(data2 && typeof data2 == "object" && !Array.isArray(data2))) {
        let err4 = { instancePath: instancePath + "/appData", schemaPath: "#/properties/appData/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
  } else {
    let err5 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
  }
  return validate83.errors = vErrors, errors === 0;
}
validate83.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate60(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate60.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 in data)
      if (!func3.call(schema24.properties, key0)) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.orgName !== void 0 && (validate61(data.orgName, { instancePath: instancePath + "/orgName", parentData: data, parentDataProperty: "orgName", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors), errors = vErrors.length)), data.email !== void 0 && (validate61(data.email, { instancePath: instancePath + "/email", parentData: data, parentDataProperty: "email", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors), errors = vErrors.length)), data.accountName !== void 0 && (validate61(data.accountName, { instancePath: instancePath + "/accountName", parentData: data, parentDataProperty: "accountName", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors), errors = vErrors.length)), data.orgAccountType !== void 0) {
      let data3 = data.orgAccountType, _errs6 = errors, valid1 = !1, _errs7 = errors;
      if (!(data3 === "internal" || data3 === "customer")) {
        let err1 = { instancePath: instancePath + "/orgAccountType", schemaPath: "#/properties/orgAccountType/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema24.properties.orgAccountType.anyOf[0].enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
      var _valid0 = _errs7 === errors;
      valid1 = valid1 || _valid0;
      let _errs8 = errors;
      validate67(data3, { instancePath: instancePath + "/orgAccountType", parentData: data, parentDataProperty: "orgAccountType", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors), errors = vErrors.length);
      var _valid0 = _errs8 === errors;
      if (valid1 = valid1 || _valid0, valid1)
        errors = _errs6, vErrors !== null && (_errs6 ? vErrors.length = _errs6 : vErrors = null);
      else {
        let err2 = { instancePath: instancePath + "/orgAccountType", schemaPath: "#/properties/orgAccountType/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    if (data.productPlanId !== void 0 && (validate61(data.productPlanId, { instancePath: instancePath + "/productPlanId", parentData: data, parentDataProperty: "productPlanId", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors), errors = vErrors.length)), data.offeredProductPlanId !== void 0 && (validate61(data.offeredProductPlanId, { instancePath: instancePath + "/offeredProductPlanId", parentData: data, parentDataProperty: "offeredProductPlanId", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors), errors = vErrors.length)), data.externalAccountId !== void 0 && (validate61(data.externalAccountId, { instancePath: instancePath + "/externalAccountId", parentData: data, parentDataProperty: "externalAccountId", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors), errors = vErrors.length)), data.externalBillingId !== void 0 && (validate61(data.externalBillingId, { instancePath: instancePath + "/externalBillingId", parentData: data, parentDataProperty: "externalBillingId", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors), errors = vErrors.length)), data.hipaaSetting !== void 0) {
      let data8 = data.hipaaSetting, _errs14 = errors, valid2 = !1, _errs15 = errors;
      if (!(data8 === "on" || data8 === "off" || data8 === "inherit")) {
        let err3 = { instancePath: instancePath + "/hipaaSetting", schemaPath: "#/properties/hipaaSetting/anyOf/0/enum", keyword: "enum", params: { allowedValues: schema24.properties.hipaaSetting.anyOf[0].enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
      var _valid1 = _errs15 === errors;
      valid2 = valid2 || _valid1;
      let _errs16 = errors;
      validate67(data8, { instancePath: instancePath + "/hipaaSetting", parentData: data, parentDataProperty: "hipaaSetting", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors), errors = vErrors.length);
      var _valid1 = _errs16 === errors;
      if (valid2 = valid2 || _valid1, valid2)
        errors = _errs14, vErrors !== null && (_errs14 ? vErrors.length = _errs14 : vErrors = null);
      else {
        let err4 = { instancePath: instancePath + "/hipaaSetting", schemaPath: "#/properties/hipaaSetting/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
    if (data.numberingProviders !== void 0) {
      let data9 = data.numberingProviders;
      if (Array.isArray(data9)) {
        let len0 = data9.length;
        for (let i0 = 0; i0 < len0; i0++)
          validate74(data9[i0], { instancePath: instancePath + "/numberingProviders/" + i0, parentData: data9, parentDataProperty: i0, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate74.errors : vErrors.concat(validate74.errors), errors = vErrors.length);
      } else {
        let err5 = { instancePath: instancePath + "/numberingProviders", schemaPath: "#/properties/numberingProviders/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.servicePremium !== void 0 && (validate75(data.servicePremium, { instancePath: instancePath + "/servicePremium", parentData: data, parentDataProperty: "servicePremium", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate75.errors : vErrors.concat(validate75.errors), errors = vErrors.length)), data.smsEnabled !== void 0 && (validate75(data.smsEnabled, { instancePath: instancePath + "/smsEnabled", parentData: data, parentDataProperty: "smsEnabled", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate75.errors : vErrors.concat(validate75.errors), errors = vErrors.length)), data.smsBrandId !== void 0 && (validate61(data.smsBrandId, { instancePath: instancePath + "/smsBrandId", parentData: data, parentDataProperty: "smsBrandId", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors), errors = vErrors.length)), data.smsCampaignId !== void 0 && (validate61(data.smsCampaignId, { instancePath: instancePath + "/smsCampaignId", parentData: data, parentDataProperty: "smsCampaignId", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors), errors = vErrors.length)), data.integrations !== void 0) {
      let data15 = data.integrations;
      if (Array.isArray(data15)) {
        let len1 = data15.length;
        for (let i1 = 0; i1 < len1; i1++)
          validate83(data15[i1], { instancePath: instancePath + "/integrations/" + i1, parentData: data15, parentDataProperty: i1, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate83.errors : vErrors.concat(validate83.errors), errors = vErrors.length);
      } else {
        let err6 = { instancePath: instancePath + "/integrations", schemaPath: "#/properties/integrations/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
  } else {
    let err7 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
  }
  return validate60.errors = vErrors, errors === 0;
}
validate60.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var schema32 = { description: "Extra query parameters of every call, such as targetAccountId.", type: "object", additionalProperties: { type: ["string", "integer", "boolean"] } };
function validate88(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate88.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data))
    for (let key0 in data) {
      let data0 = data[key0];
      if (typeof data0 != "string" && !(typeof data0 == "number" && !(data0 % 1) && !isNaN(data0)) && typeof data0 != "boolean") {
        let err0 = { instancePath: instancePath + "/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/additionalProperties/type", keyword: "type", params: { type: schema32.additionalProperties.type }, message: "must be string,integer,boolean" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    }
  else {
    let err1 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
  }
  return validate88.errors = vErrors, errors === 0;
}
validate88.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate87(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate87.evaluated;
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
    data.query !== void 0 && (validate88(data.query, { instancePath: instancePath + "/query", parentData: data, parentDataProperty: "query", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate88.errors : vErrors.concat(validate88.errors), errors = vErrors.length));
  } else {
    let err2 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
  }
  return validate87.errors = vErrors, errors === 0;
}
validate87.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var schema33 = { description: "What differs in one environment.", type: "object", additionalProperties: !1, properties: { resellerId: { description: "The reseller under which it is created; that of the environment if left out.", type: ["string", "integer"], minLength: 1 }, settings: { $ref: "#/$defs/OrganizationSettings" }, target: { $ref: "#/$defs/AccountTarget" } } };
function validate91(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate91.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 in data)
      if (!(key0 === "resellerId" || key0 === "settings" || key0 === "target")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.resellerId !== void 0) {
      let data0 = data.resellerId;
      if (typeof data0 != "string" && !(typeof data0 == "number" && !(data0 % 1) && !isNaN(data0))) {
        let err1 = { instancePath: instancePath + "/resellerId", schemaPath: "#/properties/resellerId/type", keyword: "type", params: { type: schema33.properties.resellerId.type }, message: "must be string,integer" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
      if (typeof data0 == "string" && func1(data0) < 1) {
        let err2 = { instancePath: instancePath + "/resellerId", schemaPath: "#/properties/resellerId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    }
    data.settings !== void 0 && (validate60(data.settings, { instancePath: instancePath + "/settings", parentData: data, parentDataProperty: "settings", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors), errors = vErrors.length)), data.target !== void 0 && (validate87(data.target, { instancePath: instancePath + "/target", parentData: data, parentDataProperty: "target", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate87.errors : vErrors.concat(validate87.errors), errors = vErrors.length));
  } else {
    let err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
  }
  return validate91.errors = vErrors, errors === 0;
}
validate91.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
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
      if (!(key0 === "apiVersion" || key0 === "kind" || key0 === "name" || key0 === "extends" || key0 === "resellerId" || key0 === "settings" || key0 === "target" || key0 === "environments")) {
        let err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    if (data.apiVersion !== void 0 && (validate54(data.apiVersion, { instancePath: instancePath + "/apiVersion", parentData: data, parentDataProperty: "apiVersion", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors), errors = vErrors.length)), data.kind !== void 0 && data.kind !== "Organization") {
      let err3 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/const", keyword: "const", params: { allowedValue: "Organization" }, message: "must be equal to constant" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.name !== void 0 && (validate56(data.name, { instancePath: instancePath + "/name", parentData: data, parentDataProperty: "name", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors), errors = vErrors.length)), data.extends !== void 0 && (validate58(data.extends, { instancePath: instancePath + "/extends", parentData: data, parentDataProperty: "extends", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate58.errors : vErrors.concat(validate58.errors), errors = vErrors.length)), data.resellerId !== void 0) {
      let data4 = data.resellerId;
      if (typeof data4 != "string" && !(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4))) {
        let err4 = { instancePath: instancePath + "/resellerId", schemaPath: "#/properties/resellerId/type", keyword: "type", params: { type: schema20.properties.resellerId.type }, message: "must be string,integer" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
      if (typeof data4 == "string" && func1(data4) < 1) {
        let err5 = { instancePath: instancePath + "/resellerId", schemaPath: "#/properties/resellerId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.settings !== void 0 && (validate60(data.settings, { instancePath: instancePath + "/settings", parentData: data, parentDataProperty: "settings", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors), errors = vErrors.length)), data.target !== void 0 && (validate87(data.target, { instancePath: instancePath + "/target", parentData: data, parentDataProperty: "target", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate87.errors : vErrors.concat(validate87.errors), errors = vErrors.length)), data.environments !== void 0) {
      let data7 = data.environments;
      if (data7 && typeof data7 == "object" && !Array.isArray(data7))
        for (let key1 in data7)
          validate91(data7[key1], { instancePath: instancePath + "/environments/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), parentData: data7, parentDataProperty: key1, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors), errors = vErrors.length);
      else {
        let err6 = { instancePath: instancePath + "/environments", schemaPath: "#/properties/environments/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
  } else {
    let err7 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
  }
  return validate53.errors = vErrors, errors === 0;
}
validate53.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate52(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate52.evaluated;
  return evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), validate53(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors), errors = vErrors.length), validate52.errors = vErrors, errors === 0;
}
validate52.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var resolved = validate96, schema34 = { title: "Organization", description: "An organization under a reseller account. There is no update operation.", type: "object", required: ["apiVersion", "kind"], additionalProperties: !1, properties: { apiVersion: { description: "The version of this format.", const: "agentform/v1" }, kind: { const: "Organization" }, name: { description: "The identity of the resource in the project, unique per kind. A base has none.", type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, extends: { description: "A base inside the project folder, outside `manifests`, relative to this file. The nearer value wins, maps merge, keyed lists merge by key, other lists are replaced.", type: "string", minLength: 1 }, resellerId: { description: "The reseller under which it is created; that of the environment if left out.", type: ["string", "integer"], minLength: 1 }, settings: { description: "The organization, as POST /api/v2/createOrganization names its fields.", type: "object", "x-spread": !0, additionalProperties: !1, properties: { orgName: { type: "string", description: "Name of the organization.", writeOnly: !0 }, email: { type: "string", description: "E-mail address of the administrator of the new organization.", writeOnly: !0 }, accountName: { type: "string", description: "Name of the default agent.", writeOnly: !0 }, orgAccountType: { enum: ["internal", "customer"], description: "`internal` is billed through the reseller's usage, `customer` may have full subscriptions.", default: "customer", writeOnly: !0 }, productPlanId: { type: "string", description: "Plan of the organization; the reseller's sell-plan if left out.", writeOnly: !0 }, offeredProductPlanId: { type: "string", description: "Plan that is offered to the organization.", writeOnly: !0 }, externalAccountId: { type: "string", description: "Your own id of this customer.", writeOnly: !0 }, externalBillingId: { type: "string", description: "Id in your billing system.", writeOnly: !0 }, hipaaSetting: { enum: ["on", "off", "inherit"], description: "`inherit` takes the reseller's.", writeOnly: !0 }, numberingProviders: { description: "Numbering providers with their credentials.", type: "array", items: { type: "object", required: ["providerId", "config"], additionalProperties: !1, properties: { providerId: { description: "The provider.", type: "string", minLength: 1 }, config: { description: "Credentials at the provider; texts only as ${secret.NAME}.", type: "object", additionalProperties: !0, "x-sensitive": !0 }, default: { type: "boolean", description: "Use this provider by default." } } }, "x-list-type": "map", "x-list-map-keys": ["providerId"], writeOnly: !0 }, servicePremium: { type: "boolean", description: "The account pays actively.", writeOnly: !0 }, smsEnabled: { type: "boolean", description: "Enables SMS on the agent.", writeOnly: !0 }, smsBrandId: { type: "string", description: "Registered SMS brand.", writeOnly: !0 }, smsCampaignId: { type: "string", description: "Approved SMS campaign.", writeOnly: !0 }, integrations: { description: "Integrations with their credentials and settings.", type: "array", items: { type: "object", required: ["appId", "appVersion", "appData"], additionalProperties: !1, properties: { appId: { description: "The app.", type: "string", minLength: 1 }, appVersion: { type: "string", description: "Version of the integration." }, appData: { description: "Credentials and settings of the app; texts only as ${secret.NAME}.", type: "object", additionalProperties: !0, "x-sensitive": !0 } } }, "x-list-type": "map", "x-list-map-keys": ["appId"], writeOnly: !0 } }, required: ["orgName"] }, target: { description: "Which account the calls for this resource hit, where that differs from the environment.", type: "object", additionalProperties: !1, properties: { token: { description: "The API token, only ever as ${secret.NAME}.", type: "string", "x-sensitive": !0 }, query: { description: "Extra query parameters of every call, such as targetAccountId.", type: "object", additionalProperties: { type: ["string", "integer", "boolean"] } } } }, environments: { description: "Overlays: what differs in an environment of the project, deep-merged over the rest.", type: "object", additionalProperties: { description: "What differs in one environment.", type: "object", additionalProperties: !1, properties: { resellerId: { description: "The reseller under which it is created; that of the environment if left out.", type: ["string", "integer"], minLength: 1 }, settings: { description: "The organization, as POST /api/v2/createOrganization names its fields.", type: "object", "x-spread": !0, additionalProperties: !1, properties: { orgName: { type: "string", description: "Name of the organization.", writeOnly: !0 }, email: { type: "string", description: "E-mail address of the administrator of the new organization.", writeOnly: !0 }, accountName: { type: "string", description: "Name of the default agent.", writeOnly: !0 }, orgAccountType: { enum: ["internal", "customer"], description: "`internal` is billed through the reseller's usage, `customer` may have full subscriptions.", default: "customer", writeOnly: !0 }, productPlanId: { type: "string", description: "Plan of the organization; the reseller's sell-plan if left out.", writeOnly: !0 }, offeredProductPlanId: { type: "string", description: "Plan that is offered to the organization.", writeOnly: !0 }, externalAccountId: { type: "string", description: "Your own id of this customer.", writeOnly: !0 }, externalBillingId: { type: "string", description: "Id in your billing system.", writeOnly: !0 }, hipaaSetting: { enum: ["on", "off", "inherit"], description: "`inherit` takes the reseller's.", writeOnly: !0 }, numberingProviders: { description: "Numbering providers with their credentials.", type: "array", items: { type: "object", required: ["providerId", "config"], additionalProperties: !1, properties: { providerId: { description: "The provider.", type: "string", minLength: 1 }, config: { description: "Credentials at the provider; texts only as ${secret.NAME}.", type: "object", additionalProperties: !0, "x-sensitive": !0 }, default: { type: "boolean", description: "Use this provider by default." } } }, "x-list-type": "map", "x-list-map-keys": ["providerId"], writeOnly: !0 }, servicePremium: { type: "boolean", description: "The account pays actively.", writeOnly: !0 }, smsEnabled: { type: "boolean", description: "Enables SMS on the agent.", writeOnly: !0 }, smsBrandId: { type: "string", description: "Registered SMS brand.", writeOnly: !0 }, smsCampaignId: { type: "string", description: "Approved SMS campaign.", writeOnly: !0 }, integrations: { description: "Integrations with their credentials and settings.", type: "array", items: { type: "object", required: ["appId", "appVersion", "appData"], additionalProperties: !1, properties: { appId: { description: "The app.", type: "string", minLength: 1 }, appVersion: { type: "string", description: "Version of the integration." }, appData: { description: "Credentials and settings of the app; texts only as ${secret.NAME}.", type: "object", additionalProperties: !0, "x-sensitive": !0 } } }, "x-list-type": "map", "x-list-map-keys": ["appId"], writeOnly: !0 } }, required: ["orgName"] }, target: { description: "Which account the calls for this resource hit, where that differs from the environment.", type: "object", additionalProperties: !1, properties: { token: { description: "The API token, only ever as ${secret.NAME}.", type: "string", "x-sensitive": !0 }, query: { description: "Extra query parameters of every call, such as targetAccountId.", type: "object", additionalProperties: { type: ["string", "integer", "boolean"] } } } } } } } }, $id: "urn:validator:resolved" };
function validate96(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate96.evaluated;
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
      if (!(key0 === "apiVersion" || key0 === "kind" || key0 === "name" || key0 === "extends" || key0 === "resellerId" || key0 === "settings" || key0 === "target" || key0 === "environments")) {
        let err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    if (data.apiVersion !== void 0 && data.apiVersion !== "agentform/v1") {
      let err3 = { instancePath: instancePath + "/apiVersion", schemaPath: "#/properties/apiVersion/const", keyword: "const", params: { allowedValue: "agentform/v1" }, message: "must be equal to constant" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.kind !== void 0 && data.kind !== "Organization") {
      let err4 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/const", keyword: "const", params: { allowedValue: "Organization" }, message: "must be equal to constant" };
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
        if (func1(data3) < 1) {
          let err7 = { instancePath: instancePath + "/extends", schemaPath: "#/properties/extends/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
        }
      } else {
        let err8 = { instancePath: instancePath + "/extends", schemaPath: "#/properties/extends/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
    }
    if (data.resellerId !== void 0) {
      let data4 = data.resellerId;
      if (typeof data4 != "string" && !(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4))) {
        let err9 = { instancePath: instancePath + "/resellerId", schemaPath: "#/properties/resellerId/type", keyword: "type", params: { type: schema34.properties.resellerId.type }, message: "must be string,integer" };
        vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
      }
      if (typeof data4 == "string" && func1(data4) < 1) {
        let err10 = { instancePath: instancePath + "/resellerId", schemaPath: "#/properties/resellerId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
        vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
      }
    }
    if (data.settings !== void 0) {
      let data5 = data.settings;
      if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
        if (data5.orgName === void 0) {
          let err11 = { instancePath: instancePath + "/settings", schemaPath: "#/properties/settings/required", keyword: "required", params: { missingProperty: "orgName" }, message: "must have required property 'orgName'" };
          vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
        }
        for (let key1 in data5)
          if (!func3.call(schema34.properties.settings.properties, key1)) {
            let err12 = { instancePath: instancePath + "/settings", schemaPath: "#/properties/settings/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
          }
        if (data5.orgName !== void 0 && typeof data5.orgName != "string") {
          let err13 = { instancePath: instancePath + "/settings/orgName", schemaPath: "#/properties/settings/properties/orgName/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
        }
        if (data5.email !== void 0 && typeof data5.email != "string") {
          let err14 = { instancePath: instancePath + "/settings/email", schemaPath: "#/properties/settings/properties/email/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
        }
        if (data5.accountName !== void 0 && typeof data5.accountName != "string") {
          let err15 = { instancePath: instancePath + "/settings/accountName", schemaPath: "#/properties/settings/properties/accountName/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
        }
        if (data5.orgAccountType !== void 0) {
          let data9 = data5.orgAccountType;
          if (!(data9 === "internal" || data9 === "customer")) {
            let err16 = { instancePath: instancePath + "/settings/orgAccountType", schemaPath: "#/properties/settings/properties/orgAccountType/enum", keyword: "enum", params: { allowedValues: schema34.properties.settings.properties.orgAccountType.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
          }
        }
        if (data5.productPlanId !== void 0 && typeof data5.productPlanId != "string") {
          let err17 = { instancePath: instancePath + "/settings/productPlanId", schemaPath: "#/properties/settings/properties/productPlanId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
        }
        if (data5.offeredProductPlanId !== void 0 && typeof data5.offeredProductPlanId != "string") {
          let err18 = { instancePath: instancePath + "/settings/offeredProductPlanId", schemaPath: "#/properties/settings/properties/offeredProductPlanId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
        }
        if (data5.externalAccountId !== void 0 && typeof data5.externalAccountId != "string") {
          let err19 = { instancePath: instancePath + "/settings/externalAccountId", schemaPath: "#/properties/settings/properties/externalAccountId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
        }
        if (data5.externalBillingId !== void 0 && typeof data5.externalBillingId != "string") {
          let err20 = { instancePath: instancePath + "/settings/externalBillingId", schemaPath: "#/properties/settings/properties/externalBillingId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
        }
        if (data5.hipaaSetting !== void 0) {
          let data14 = data5.hipaaSetting;
          if (!(data14 === "on" || data14 === "off" || data14 === "inherit")) {
            let err21 = { instancePath: instancePath + "/settings/hipaaSetting", schemaPath: "#/properties/settings/properties/hipaaSetting/enum", keyword: "enum", params: { allowedValues: schema34.properties.settings.properties.hipaaSetting.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
          }
        }
        if (data5.numberingProviders !== void 0) {
          let data15 = data5.numberingProviders;
          if (Array.isArray(data15)) {
            let len0 = data15.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data16 = data15[i0];
              if (data16 && typeof data16 == "object" && !Array.isArray(data16)) {
                if (data16.providerId === void 0) {
                  let err22 = { instancePath: instancePath + "/settings/numberingProviders/" + i0, schemaPath: "#/properties/settings/properties/numberingProviders/items/required", keyword: "required", params: { missingProperty: "providerId" }, message: "must have required property 'providerId'" };
                  vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
                }
                if (data16.config === void 0) {
                  let err23 = { instancePath: instancePath + "/settings/numberingProviders/" + i0, schemaPath: "#/properties/settings/properties/numberingProviders/items/required", keyword: "required", params: { missingProperty: "config" }, message: "must have required property 'config'" };
                  vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
                }
                for (let key2 in data16)
                  if (!(key2 === "providerId" || key2 === "config" || key2 === "default")) {
                    let err24 = { instancePath: instancePath + "/settings/numberingProviders/" + i0, schemaPath: "#/properties/settings/properties/numberingProviders/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                    vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
                  }
                if (data16.providerId !== void 0) {
                  let data17 = data16.providerId;
                  if (typeof data17 == "string") {
                    if (func1(data17) < 1) {
                      let err25 = { instancePath: instancePath + "/settings/numberingProviders/" + i0 + "/providerId", schemaPath: "#/properties/settings/properties/numberingProviders/items/properties/providerId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                      vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
                    }
                  } else {
                    let err26 = { instancePath: instancePath + "/settings/numberingProviders/" + i0 + "/providerId", schemaPath: "#/properties/settings/properties/numberingProviders/items/properties/providerId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
                  }
                }
                if (data16.config !== void 0) {
                  let data18 = data16.config;
                  if (!(data18 && typeof data18 == "object" && !Array.isArray(data18))) {
                    let err27 = { instancePath: instancePath + "/settings/numberingProviders/" + i0 + "/config", schemaPath: "#/properties/settings/properties/numberingProviders/items/properties/config/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
                  }
                }
                if (data16.default !== void 0 && typeof data16.default != "boolean") {
                  let err28 = { instancePath: instancePath + "/settings/numberingProviders/" + i0 + "/default", schemaPath: "#/properties/settings/properties/numberingProviders/items/properties/default/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
                }
              } else {
                let err29 = { instancePath: instancePath + "/settings/numberingProviders/" + i0, schemaPath: "#/properties/settings/properties/numberingProviders/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
              }
            }
          } else {
            let err30 = { instancePath: instancePath + "/settings/numberingProviders", schemaPath: "#/properties/settings/properties/numberingProviders/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
          }
        }
        if (data5.servicePremium !== void 0 && typeof data5.servicePremium != "boolean") {
          let err31 = { instancePath: instancePath + "/settings/servicePremium", schemaPath: "#/properties/settings/properties/servicePremium/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
        }
        if (data5.smsEnabled !== void 0 && typeof data5.smsEnabled != "boolean") {
          let err32 = { instancePath: instancePath + "/settings/smsEnabled", schemaPath: "#/properties/settings/properties/smsEnabled/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
        }
        if (data5.smsBrandId !== void 0 && typeof data5.smsBrandId != "string") {
          let err33 = { instancePath: instancePath + "/settings/smsBrandId", schemaPath: "#/properties/settings/properties/smsBrandId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
        }
        if (data5.smsCampaignId !== void 0 && typeof data5.smsCampaignId != "string") {
          let err34 = { instancePath: instancePath + "/settings/smsCampaignId", schemaPath: "#/properties/settings/properties/smsCampaignId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err34] : vErrors.push(err34), errors++;
        }
        if (data5.integrations !== void 0) {
          let data24 = data5.integrations;
          if (Array.isArray(data24)) {
            let len1 = data24.length;
            for (let i1 = 0; i1 < len1; i1++) {
              let data25 = data24[i1];
              if (data25 && typeof data25 == "object" && !Array.isArray(data25)) {
                if (data25.appId === void 0) {
                  let err35 = { instancePath: instancePath + "/settings/integrations/" + i1, schemaPath: "#/properties/settings/properties/integrations/items/required", keyword: "required", params: { missingProperty: "appId" }, message: "must have required property 'appId'" };
                  vErrors === null ? vErrors = [err35] : vErrors.push(err35), errors++;
                }
                if (data25.appVersion === void 0) {
                  let err36 = { instancePath: instancePath + "/settings/integrations/" + i1, schemaPath: "#/properties/settings/properties/integrations/items/required", keyword: "required", params: { missingProperty: "appVersion" }, message: "must have required property 'appVersion'" };
                  vErrors === null ? vErrors = [err36] : vErrors.push(err36), errors++;
                }
                if (data25.appData === void 0) {
                  let err37 = { instancePath: instancePath + "/settings/integrations/" + i1, schemaPath: "#/properties/settings/properties/integrations/items/required", keyword: "required", params: { missingProperty: "appData" }, message: "must have required property 'appData'" };
                  vErrors === null ? vErrors = [err37] : vErrors.push(err37), errors++;
                }
                for (let key3 in data25)
                  if (!(key3 === "appId" || key3 === "appVersion" || key3 === "appData")) {
                    let err38 = { instancePath: instancePath + "/settings/integrations/" + i1, schemaPath: "#/properties/settings/properties/integrations/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties" };
                    vErrors === null ? vErrors = [err38] : vErrors.push(err38), errors++;
                  }
                if (data25.appId !== void 0) {
                  let data26 = data25.appId;
                  if (typeof data26 == "string") {
                    if (func1(data26) < 1) {
                      let err39 = { instancePath: instancePath + "/settings/integrations/" + i1 + "/appId", schemaPath: "#/properties/settings/properties/integrations/items/properties/appId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                      vErrors === null ? vErrors = [err39] : vErrors.push(err39), errors++;
                    }
                  } else {
                    let err40 = { instancePath: instancePath + "/settings/integrations/" + i1 + "/appId", schemaPath: "#/properties/settings/properties/integrations/items/properties/appId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    vErrors === null ? vErrors = [err40] : vErrors.push(err40), errors++;
                  }
                }
                if (data25.appVersion !== void 0 && typeof data25.appVersion != "string") {
                  let err41 = { instancePath: instancePath + "/settings/integrations/" + i1 + "/appVersion", schemaPath: "#/properties/settings/properties/integrations/items/properties/appVersion/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err41] : vErrors.push(err41), errors++;
                }
                if (data25.appData !== void 0) {
                  let data28 = data25.appData;
                  if (!(data28 && typeof data28 == "object" && !Array.isArray(data28))) {
                    let err42 = { instancePath: instancePath + "/settings/integrations/" + i1 + "/appData", schemaPath: "#/properties/settings/properties/integrations/items/properties/appData/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    vErrors === null ? vErrors = [err42] : vErrors.push(err42), errors++;
                  }
                }
              } else {
                let err43 = { instancePath: instancePath + "/settings/integrations/" + i1, schemaPath: "#/properties/settings/properties/integrations/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err43] : vErrors.push(err43), errors++;
              }
            }
          } else {
            let err44 = { instancePath: instancePath + "/settings/integrations", schemaPath: "#/properties/settings/properties/integrations/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            vErrors === null ? vErrors = [err44] : vErrors.push(err44), errors++;
          }
        }
      } else {
        let err45 = { instancePath: instancePath + "/settings", schemaPath: "#/properties/settings/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err45] : vErrors.push(err45), errors++;
      }
    }
    if (data.target !== void 0) {
      let data29 = data.target;
      if (data29 && typeof data29 == "object" && !Array.isArray(data29)) {
        for (let key4 in data29)
          if (!(key4 === "token" || key4 === "query")) {
            let err46 = { instancePath: instancePath + "/target", schemaPath: "#/properties/target/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err46] : vErrors.push(err46), errors++;
          }
        if (data29.token !== void 0 && typeof data29.token != "string") {
          let err47 = { instancePath: instancePath + "/target/token", schemaPath: "#/properties/target/properties/token/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err47] : vErrors.push(err47), errors++;
        }
        if (data29.query !== void 0) {
          let data31 = data29.query;
          if (data31 && typeof data31 == "object" && !Array.isArray(data31))
            for (let key5 in data31) {
              let data32 = data31[key5];
              if (typeof data32 != "string" && !(typeof data32 == "number" && !(data32 % 1) && !isNaN(data32)) && typeof data32 != "boolean") {
                let err48 = { instancePath: instancePath + "/target/query/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/target/properties/query/additionalProperties/type", keyword: "type", params: { type: schema34.properties.target.properties.query.additionalProperties.type }, message: "must be string,integer,boolean" };
                vErrors === null ? vErrors = [err48] : vErrors.push(err48), errors++;
              }
            }
          else {
            let err49 = { instancePath: instancePath + "/target/query", schemaPath: "#/properties/target/properties/query/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err49] : vErrors.push(err49), errors++;
          }
        }
      } else {
        let err50 = { instancePath: instancePath + "/target", schemaPath: "#/properties/target/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err50] : vErrors.push(err50), errors++;
      }
    }
    if (data.environments !== void 0) {
      let data33 = data.environments;
      if (data33 && typeof data33 == "object" && !Array.isArray(data33))
        for (let key6 in data33) {
          let data34 = data33[key6];
          if (data34 && typeof data34 == "object" && !Array.isArray(data34)) {
            for (let key7 in data34)
              if (!(key7 === "resellerId" || key7 === "settings" || key7 === "target")) {
                let err51 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/environments/additionalProperties/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err51] : vErrors.push(err51), errors++;
              }
            if (data34.resellerId !== void 0) {
              let data35 = data34.resellerId;
              if (typeof data35 != "string" && !(typeof data35 == "number" && !(data35 % 1) && !isNaN(data35))) {
                let err52 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/resellerId", schemaPath: "#/properties/environments/additionalProperties/properties/resellerId/type", keyword: "type", params: { type: schema34.properties.environments.additionalProperties.properties.resellerId.type }, message: "must be string,integer" };
                vErrors === null ? vErrors = [err52] : vErrors.push(err52), errors++;
              }
              if (typeof data35 == "string" && func1(data35) < 1) {
                let err53 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/resellerId", schemaPath: "#/properties/environments/additionalProperties/properties/resellerId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                vErrors === null ? vErrors = [err53] : vErrors.push(err53), errors++;
              }
            }
            if (data34.settings !== void 0) {
              let data36 = data34.settings;
              if (data36 && typeof data36 == "object" && !Array.isArray(data36)) {
                if (data36.orgName === void 0) {
                  let err54 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings", schemaPath: "#/properties/environments/additionalProperties/properties/settings/required", keyword: "required", params: { missingProperty: "orgName" }, message: "must have required property 'orgName'" };
                  vErrors === null ? vErrors = [err54] : vErrors.push(err54), errors++;
                }
                for (let key8 in data36)
                  if (!func3.call(schema34.properties.environments.additionalProperties.properties.settings.properties, key8)) {
                    let err55 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings", schemaPath: "#/properties/environments/additionalProperties/properties/settings/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key8 }, message: "must NOT have additional properties" };
                    vErrors === null ? vErrors = [err55] : vErrors.push(err55), errors++;
                  }
                if (data36.orgName !== void 0 && typeof data36.orgName != "string") {
                  let err56 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/orgName", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/orgName/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err56] : vErrors.push(err56), errors++;
                }
                if (data36.email !== void 0 && typeof data36.email != "string") {
                  let err57 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/email", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/email/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err57] : vErrors.push(err57), errors++;
                }
                if (data36.accountName !== void 0 && typeof data36.accountName != "string") {
                  let err58 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/accountName", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/accountName/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err58] : vErrors.push(err58), errors++;
                }
                if (data36.orgAccountType !== void 0) {
                  let data40 = data36.orgAccountType;
                  if (!(data40 === "internal" || data40 === "customer")) {
                    let err59 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/orgAccountType", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/orgAccountType/enum", keyword: "enum", params: { allowedValues: schema34.properties.environments.additionalProperties.properties.settings.properties.orgAccountType.enum }, message: "must be equal to one of the allowed values" };
                    vErrors === null ? vErrors = [err59] : vErrors.push(err59), errors++;
                  }
                }
                if (data36.productPlanId !== void 0 && typeof data36.productPlanId != "string") {
                  let err60 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/productPlanId", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/productPlanId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err60] : vErrors.push(err60), errors++;
                }
                if (data36.offeredProductPlanId !== void 0 && typeof data36.offeredProductPlanId != "string") {
                  let err61 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/offeredProductPlanId", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/offeredProductPlanId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err61] : vErrors.push(err61), errors++;
                }
                if (data36.externalAccountId !== void 0 && typeof data36.externalAccountId != "string") {
                  let err62 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/externalAccountId", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/externalAccountId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err62] : vErrors.push(err62), errors++;
                }
                if (data36.externalBillingId !== void 0 && typeof data36.externalBillingId != "string") {
                  let err63 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/externalBillingId", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/externalBillingId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err63] : vErrors.push(err63), errors++;
                }
                if (data36.hipaaSetting !== void 0) {
                  let data45 = data36.hipaaSetting;
                  if (!(data45 === "on" || data45 === "off" || data45 === "inherit")) {
                    let err64 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/hipaaSetting", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/hipaaSetting/enum", keyword: "enum", params: { allowedValues: schema34.properties.environments.additionalProperties.properties.settings.properties.hipaaSetting.enum }, message: "must be equal to one of the allowed values" };
                    vErrors === null ? vErrors = [err64] : vErrors.push(err64), errors++;
                  }
                }
                if (data36.numberingProviders !== void 0) {
                  let data46 = data36.numberingProviders;
                  if (Array.isArray(data46)) {
                    let len2 = data46.length;
                    for (let i2 = 0; i2 < len2; i2++) {
                      let data47 = data46[i2];
                      if (data47 && typeof data47 == "object" && !Array.isArray(data47)) {
                        if (data47.providerId === void 0) {
                          let err65 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/numberingProviders/" + i2, schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/numberingProviders/items/required", keyword: "required", params: { missingProperty: "providerId" }, message: "must have required property 'providerId'" };
                          vErrors === null ? vErrors = [err65] : vErrors.push(err65), errors++;
                        }
                        if (data47.config === void 0) {
                          let err66 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/numberingProviders/" + i2, schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/numberingProviders/items/required", keyword: "required", params: { missingProperty: "config" }, message: "must have required property 'config'" };
                          vErrors === null ? vErrors = [err66] : vErrors.push(err66), errors++;
                        }
                        for (let key9 in data47)
                          if (!(key9 === "providerId" || key9 === "config" || key9 === "default")) {
                            let err67 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/numberingProviders/" + i2, schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/numberingProviders/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key9 }, message: "must NOT have additional properties" };
                            vErrors === null ? vErrors = [err67] : vErrors.push(err67), errors++;
                          }
                        if (data47.providerId !== void 0) {
                          let data48 = data47.providerId;
                          if (typeof data48 == "string") {
                            if (func1(data48) < 1) {
                              let err68 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/numberingProviders/" + i2 + "/providerId", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/numberingProviders/items/properties/providerId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                              vErrors === null ? vErrors = [err68] : vErrors.push(err68), errors++;
                            }
                          } else {
                            let err69 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/numberingProviders/" + i2 + "/providerId", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/numberingProviders/items/properties/providerId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            vErrors === null ? vErrors = [err69] : vErrors.push(err69), errors++;
                          }
                        }
                        if (data47.config !== void 0) {
                          let data49 = data47.config;
                          if (!(data49 && typeof data49 == "object" && !Array.isArray(data49))) {
                            let err70 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/numberingProviders/" + i2 + "/config", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/numberingProviders/items/properties/config/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                            vErrors === null ? vErrors = [err70] : vErrors.push(err70), errors++;
                          }
                        }
                        if (data47.default !== void 0 && typeof data47.default != "boolean") {
                          let err71 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/numberingProviders/" + i2 + "/default", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/numberingProviders/items/properties/default/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                          vErrors === null ? vErrors = [err71] : vErrors.push(err71), errors++;
                        }
                      } else {
                        let err72 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/numberingProviders/" + i2, schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/numberingProviders/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                        vErrors === null ? vErrors = [err72] : vErrors.push(err72), errors++;
                      }
                    }
                  } else {
                    let err73 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/numberingProviders", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/numberingProviders/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                    vErrors === null ? vErrors = [err73] : vErrors.push(err73), errors++;
                  }
                }
                if (data36.servicePremium !== void 0 && typeof data36.servicePremium != "boolean") {
                  let err74 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/servicePremium", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/servicePremium/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  vErrors === null ? vErrors = [err74] : vErrors.push(err74), errors++;
                }
                if (data36.smsEnabled !== void 0 && typeof data36.smsEnabled != "boolean") {
                  let err75 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/smsEnabled", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/smsEnabled/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                  vErrors === null ? vErrors = [err75] : vErrors.push(err75), errors++;
                }
                if (data36.smsBrandId !== void 0 && typeof data36.smsBrandId != "string") {
                  let err76 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/smsBrandId", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/smsBrandId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err76] : vErrors.push(err76), errors++;
                }
                if (data36.smsCampaignId !== void 0 && typeof data36.smsCampaignId != "string") {
                  let err77 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/smsCampaignId", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/smsCampaignId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err77] : vErrors.push(err77), errors++;
                }
                if (data36.integrations !== void 0) {
                  let data55 = data36.integrations;
                  if (Array.isArray(data55)) {
                    let len3 = data55.length;
                    for (let i3 = 0; i3 < len3; i3++) {
                      let data56 = data55[i3];
                      if (data56 && typeof data56 == "object" && !Array.isArray(data56)) {
                        if (data56.appId === void 0) {
                          let err78 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/integrations/" + i3, schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/integrations/items/required", keyword: "required", params: { missingProperty: "appId" }, message: "must have required property 'appId'" };
                          vErrors === null ? vErrors = [err78] : vErrors.push(err78), errors++;
                        }
                        if (data56.appVersion === void 0) {
                          let err79 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/integrations/" + i3, schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/integrations/items/required", keyword: "required", params: { missingProperty: "appVersion" }, message: "must have required property 'appVersion'" };
                          vErrors === null ? vErrors = [err79] : vErrors.push(err79), errors++;
                        }
                        if (data56.appData === void 0) {
                          let err80 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/integrations/" + i3, schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/integrations/items/required", keyword: "required", params: { missingProperty: "appData" }, message: "must have required property 'appData'" };
                          vErrors === null ? vErrors = [err80] : vErrors.push(err80), errors++;
                        }
                        for (let key10 in data56)
                          if (!(key10 === "appId" || key10 === "appVersion" || key10 === "appData")) {
                            let err81 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/integrations/" + i3, schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/integrations/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key10 }, message: "must NOT have additional properties" };
                            vErrors === null ? vErrors = [err81] : vErrors.push(err81), errors++;
                          }
                        if (data56.appId !== void 0) {
                          let data57 = data56.appId;
                          if (typeof data57 == "string") {
                            if (func1(data57) < 1) {
                              let err82 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/integrations/" + i3 + "/appId", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/integrations/items/properties/appId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                              vErrors === null ? vErrors = [err82] : vErrors.push(err82), errors++;
                            }
                          } else {
                            let err83 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/integrations/" + i3 + "/appId", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/integrations/items/properties/appId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                            vErrors === null ? vErrors = [err83] : vErrors.push(err83), errors++;
                          }
                        }
                        if (data56.appVersion !== void 0 && typeof data56.appVersion != "string") {
                          let err84 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/integrations/" + i3 + "/appVersion", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/integrations/items/properties/appVersion/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                          vErrors === null ? vErrors = [err84] : vErrors.push(err84), errors++;
                        }
                        if (data56.appData !== void 0) {
                          let data59 = data56.appData;
                          if (!(data59 && typeof data59 == "object" && !Array.isArray(data59))) {
                            let err85 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/integrations/" + i3 + "/appData", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/integrations/items/properties/appData/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                            vErrors === null ? vErrors = [err85] : vErrors.push(err85), errors++;
                          }
                        }
                      } else {
                        let err86 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/integrations/" + i3, schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/integrations/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                        vErrors === null ? vErrors = [err86] : vErrors.push(err86), errors++;
                      }
                    }
                  } else {
                    let err87 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings/integrations", schemaPath: "#/properties/environments/additionalProperties/properties/settings/properties/integrations/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                    vErrors === null ? vErrors = [err87] : vErrors.push(err87), errors++;
                  }
                }
              } else {
                let err88 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/settings", schemaPath: "#/properties/environments/additionalProperties/properties/settings/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err88] : vErrors.push(err88), errors++;
              }
            }
            if (data34.target !== void 0) {
              let data60 = data34.target;
              if (data60 && typeof data60 == "object" && !Array.isArray(data60)) {
                for (let key11 in data60)
                  if (!(key11 === "token" || key11 === "query")) {
                    let err89 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/target", schemaPath: "#/properties/environments/additionalProperties/properties/target/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key11 }, message: "must NOT have additional properties" };
                    vErrors === null ? vErrors = [err89] : vErrors.push(err89), errors++;
                  }
                if (data60.token !== void 0 && typeof data60.token != "string") {
                  let err90 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/target/token", schemaPath: "#/properties/environments/additionalProperties/properties/target/properties/token/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err90] : vErrors.push(err90), errors++;
                }
                if (data60.query !== void 0) {
                  let data62 = data60.query;
                  if (data62 && typeof data62 == "object" && !Array.isArray(data62))
                    for (let key12 in data62) {
                      let data63 = data62[key12];
                      if (typeof data63 != "string" && !(typeof data63 == "number" && !(data63 % 1) && !isNaN(data63)) && typeof data63 != "boolean") {
                        let err91 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/target/query/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/environments/additionalProperties/properties/target/properties/query/additionalProperties/type", keyword: "type", params: { type: schema34.properties.environments.additionalProperties.properties.target.properties.query.additionalProperties.type }, message: "must be string,integer,boolean" };
                        vErrors === null ? vErrors = [err91] : vErrors.push(err91), errors++;
                      }
                    }
                  else {
                    let err92 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/target/query", schemaPath: "#/properties/environments/additionalProperties/properties/target/properties/query/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                    vErrors === null ? vErrors = [err92] : vErrors.push(err92), errors++;
                  }
                }
              } else {
                let err93 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/target", schemaPath: "#/properties/environments/additionalProperties/properties/target/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err93] : vErrors.push(err93), errors++;
              }
            }
          } else {
            let err94 = { instancePath: instancePath + "/environments/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/environments/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err94] : vErrors.push(err94), errors++;
          }
        }
      else {
        let err95 = { instancePath: instancePath + "/environments", schemaPath: "#/properties/environments/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err95] : vErrors.push(err95), errors++;
      }
    }
  } else {
    let err96 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err96] : vErrors.push(err96), errors++;
  }
  return validate96.errors = vErrors, errors === 0;
}
validate96.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
export {
  authored,
  resolved
};
