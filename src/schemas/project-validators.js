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
var projectFile = validate52, schema19 = { $schema: "https://json-schema.org/draft/2020-12/schema", title: "ProjectFile", description: "agentform.yaml: which manifests the project has, and where its environments are.", type: "object", required: ["apiVersion", "kind", "manifests", "environments"], additionalProperties: !1, properties: { apiVersion: { description: "The version of this format.", const: "agentform/v1" }, kind: { const: "Project" }, manifests: { description: "Glob patterns of the manifests, relative to this file.", type: "array", items: { type: "string", minLength: 1 }, minItems: 1, examples: [["agents/**/*.yaml"]] }, defaultEnvironment: { description: "The environment of commands that are given none.", type: "string" }, record: { description: "Where the record of what was applied is kept: by default in files under .agentform/records, to be committed.", type: "object", required: ["store"], additionalProperties: !1, properties: { store: { description: "`file`: files below the project folder, to be committed; `git`: a branch of their own.", enum: ["file", "git"] }, branch: { description: "With `store: git`, the branch that holds the records.", type: "string", pattern: "^[A-Za-z0-9_][A-Za-z0-9_-]*([./][A-Za-z0-9_-]+)*$", default: "agentform-records" }, remote: { description: "With `store: git`, where the branch is: the name of a remote, a URL without credentials, or a path from the project folder.", type: "string", minLength: 1, default: "origin", examples: ["origin", "git@git.example.com:acme/records.git", "../records.git"] } } }, limits: { description: "Guards against a run that does more than was meant.", type: "object", additionalProperties: !1, properties: { creates: { description: "The most resources that one run may create; --allow-creates N overrides it.", type: "integer", minimum: 0, default: 50 } } }, lint: { description: "How each lint rule speaks: `off`, `warn` or `error`.", type: "object", additionalProperties: { enum: ["off", "warn", "error"] } }, service: { description: "What deployments of the service do differently.", type: "object", additionalProperties: !1, properties: { publish: { description: "Path of the operation that publishes a draft, for `publish` and `apply --publish`; none by default.", type: "string", pattern: "^/", examples: ["/api/v2/agent/publish"] }, parameters: { description: "Names of query parameters that the specification leaves open.", type: "object", additionalProperties: !1, properties: { resellerId: { description: "Of createOrganization: the reseller under which the organization is created.", type: "string", minLength: 1, default: "targetResellerId" }, pagination: { description: "Of conversations: whether to answer page by page.", type: "string", minLength: 1, default: "pagination" }, page: { description: "Of conversations: the number of the page, from 0.", type: "string", minLength: 1, default: "page" }, pageSize: { description: "Of conversations: how many rooms a page has.", type: "string", minLength: 1, default: "pageSize" }, unread: { description: "Of conversations: only rooms with unread messages.", type: "string", minLength: 1, default: "unread" } } } } }, environments: { description: "The deployments of this project, by name.", type: "object", minProperties: 1, propertyNames: { pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, additionalProperties: { $ref: "#/$defs/Environment" } } }, $defs: { Environment: { description: "One deployment: where the service is, the credentials, and the variables of the manifests.", type: "object", required: ["baseUrl"], additionalProperties: !1, properties: { baseUrl: { description: "Base URL of the service, without /api/v2; `emulator` starts the embedded emulator.", type: "string", minLength: 1, examples: ["emulator", "https://service.example.com"] }, token: { description: "The API token, only ever as ${secret.NAME}. The embedded emulator needs none.", type: "string", "x-sensitive": !0 }, query: { description: "Extra query parameters of every call.", type: "object", additionalProperties: { type: ["string", "integer", "boolean"] } }, resellerId: { description: "The reseller under which organizations are created, unless their manifest names another.", type: ["string", "integer"], minLength: 1 }, variables: { description: "Values of ${var.NAME} in the manifests.", type: "object", propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }, additionalProperties: { type: ["string", "integer", "number", "boolean"] } }, unverified: { description: "What to do about settings that cannot be read when the agent was touched since the last apply: `set` sends them again, `report` lists them.", enum: ["set", "report"], default: "set" } } } }, $id: "urn:validator:projectFile" }, func1 = Object.prototype.hasOwnProperty, func2 = require_ucs2length().default, pattern3 = new RegExp("^[A-Za-z0-9_][A-Za-z0-9_-]*([./][A-Za-z0-9_-]+)*$", "u"), pattern4 = new RegExp("^/", "u"), pattern5 = new RegExp("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", "u"), schema20 = { description: "One deployment: where the service is, the credentials, and the variables of the manifests.", type: "object", required: ["baseUrl"], additionalProperties: !1, properties: { baseUrl: { description: "Base URL of the service, without /api/v2; `emulator` starts the embedded emulator.", type: "string", minLength: 1, examples: ["emulator", "https://service.example.com"] }, token: { description: "The API token, only ever as ${secret.NAME}. The embedded emulator needs none.", type: "string", "x-sensitive": !0 }, query: { description: "Extra query parameters of every call.", type: "object", additionalProperties: { type: ["string", "integer", "boolean"] } }, resellerId: { description: "The reseller under which organizations are created, unless their manifest names another.", type: ["string", "integer"], minLength: 1 }, variables: { description: "Values of ${var.NAME} in the manifests.", type: "object", propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }, additionalProperties: { type: ["string", "integer", "number", "boolean"] } }, unverified: { description: "What to do about settings that cannot be read when the agent was touched since the last apply: `set` sends them again, `report` lists them.", enum: ["set", "report"], default: "set" } } }, pattern6 = new RegExp("^[A-Za-z_][A-Za-z0-9_]*$", "u");
function validate53(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate53.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.baseUrl === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "baseUrl" }, message: "must have required property 'baseUrl'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "baseUrl" || key0 === "token" || key0 === "query" || key0 === "resellerId" || key0 === "variables" || key0 === "unverified")) {
        let err1 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    if (data.baseUrl !== void 0) {
      let data0 = data.baseUrl;
      if (typeof data0 == "string") {
        if (func2(data0) < 1) {
          let err2 = { instancePath: instancePath + "/baseUrl", schemaPath: "#/properties/baseUrl/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
        }
      } else {
        let err3 = { instancePath: instancePath + "/baseUrl", schemaPath: "#/properties/baseUrl/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.token !== void 0 && typeof data.token != "string") {
      let err4 = { instancePath: instancePath + "/token", schemaPath: "#/properties/token/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.query !== void 0) {
      let data2 = data.query;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2))
        for (let key1 in data2) {
          let data3 = data2[key1];
          if (typeof data3 != "string" && !(typeof data3 == "number" && !(data3 % 1) && !isNaN(data3)) && typeof data3 != "boolean") {
            let err5 = { instancePath: instancePath + "/query/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/query/additionalProperties/type", keyword: "type", params: { type: schema20.properties.query.additionalProperties.type }, message: "must be string,integer,boolean" };
            vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
          }
        }
      else {
        let err6 = { instancePath: instancePath + "/query", schemaPath: "#/properties/query/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
    }
    if (data.resellerId !== void 0) {
      let data4 = data.resellerId;
      if (typeof data4 != "string" && !(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4))) {
        let err7 = { instancePath: instancePath + "/resellerId", schemaPath: "#/properties/resellerId/type", keyword: "type", params: { type: schema20.properties.resellerId.type }, message: "must be string,integer" };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
      if (typeof data4 == "string" && func2(data4) < 1) {
        let err8 = { instancePath: instancePath + "/resellerId", schemaPath: "#/properties/resellerId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
    }
    if (data.variables !== void 0) {
      let data5 = data.variables;
      if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
        for (let key2 in data5) {
          let _errs15 = errors;
          if (typeof key2 == "string" && !pattern6.test(key2)) {
            let err9 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }, message: 'must match pattern "^[A-Za-z_][A-Za-z0-9_]*$"', propertyName: key2 };
            vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
          }
          var valid2 = _errs15 === errors;
          if (!valid2) {
            let err10 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/propertyNames", keyword: "propertyNames", params: { propertyName: key2 }, message: "property name must be valid" };
            vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
          }
        }
        for (let key3 in data5) {
          let data6 = data5[key3];
          if (typeof data6 != "string" && typeof data6 != "number" && typeof data6 != "boolean") {
            let err11 = { instancePath: instancePath + "/variables/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/variables/additionalProperties/type", keyword: "type", params: { type: schema20.properties.variables.additionalProperties.type }, message: "must be string,integer,number,boolean" };
            vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
          }
        }
      } else {
        let err12 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
      }
    }
    if (data.unverified !== void 0) {
      let data7 = data.unverified;
      if (!(data7 === "set" || data7 === "report")) {
        let err13 = { instancePath: instancePath + "/unverified", schemaPath: "#/properties/unverified/enum", keyword: "enum", params: { allowedValues: schema20.properties.unverified.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
      }
    }
  } else {
    let err14 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
  }
  return validate53.errors = vErrors, errors === 0;
}
validate53.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate52(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate52.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.apiVersion === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "apiVersion" }, message: "must have required property 'apiVersion'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.kind === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "kind" }, message: "must have required property 'kind'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.manifests === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "manifests" }, message: "must have required property 'manifests'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.environments === void 0) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "environments" }, message: "must have required property 'environments'" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    for (let key0 in data)
      if (!func1.call(schema19.properties, key0)) {
        let err4 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    if (data.apiVersion !== void 0 && data.apiVersion !== "agentform/v1") {
      let err5 = { instancePath: instancePath + "/apiVersion", schemaPath: "#/properties/apiVersion/const", keyword: "const", params: { allowedValue: "agentform/v1" }, message: "must be equal to constant" };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    if (data.kind !== void 0 && data.kind !== "Project") {
      let err6 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/const", keyword: "const", params: { allowedValue: "Project" }, message: "must be equal to constant" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    if (data.manifests !== void 0) {
      let data2 = data.manifests;
      if (Array.isArray(data2)) {
        if (data2.length < 1) {
          let err7 = { instancePath: instancePath + "/manifests", schemaPath: "#/properties/manifests/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
          vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
        }
        let len0 = data2.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data3 = data2[i0];
          if (typeof data3 == "string") {
            if (func2(data3) < 1) {
              let err8 = { instancePath: instancePath + "/manifests/" + i0, schemaPath: "#/properties/manifests/items/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
            }
          } else {
            let err9 = { instancePath: instancePath + "/manifests/" + i0, schemaPath: "#/properties/manifests/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
          }
        }
      } else {
        let err10 = { instancePath: instancePath + "/manifests", schemaPath: "#/properties/manifests/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
      }
    }
    if (data.defaultEnvironment !== void 0 && typeof data.defaultEnvironment != "string") {
      let err11 = { instancePath: instancePath + "/defaultEnvironment", schemaPath: "#/properties/defaultEnvironment/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
    }
    if (data.record !== void 0) {
      let data5 = data.record;
      if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
        if (data5.store === void 0) {
          let err12 = { instancePath: instancePath + "/record", schemaPath: "#/properties/record/required", keyword: "required", params: { missingProperty: "store" }, message: "must have required property 'store'" };
          vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
        }
        for (let key1 in data5)
          if (!(key1 === "store" || key1 === "branch" || key1 === "remote")) {
            let err13 = { instancePath: instancePath + "/record", schemaPath: "#/properties/record/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
          }
        if (data5.store !== void 0) {
          let data6 = data5.store;
          if (!(data6 === "file" || data6 === "git")) {
            let err14 = { instancePath: instancePath + "/record/store", schemaPath: "#/properties/record/properties/store/enum", keyword: "enum", params: { allowedValues: schema19.properties.record.properties.store.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
          }
        }
        if (data5.branch !== void 0) {
          let data7 = data5.branch;
          if (typeof data7 == "string") {
            if (!pattern3.test(data7)) {
              let err15 = { instancePath: instancePath + "/record/branch", schemaPath: "#/properties/record/properties/branch/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_][A-Za-z0-9_-]*([./][A-Za-z0-9_-]+)*$" }, message: 'must match pattern "^[A-Za-z0-9_][A-Za-z0-9_-]*([./][A-Za-z0-9_-]+)*$"' };
              vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
            }
          } else {
            let err16 = { instancePath: instancePath + "/record/branch", schemaPath: "#/properties/record/properties/branch/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
          }
        }
        if (data5.remote !== void 0) {
          let data8 = data5.remote;
          if (typeof data8 == "string") {
            if (func2(data8) < 1) {
              let err17 = { instancePath: instancePath + "/record/remote", schemaPath: "#/properties/record/properties/remote/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
            }
          } else {
            let err18 = { instancePath: instancePath + "/record/remote", schemaPath: "#/properties/record/properties/remote/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
          }
        }
      } else {
        let err19 = { instancePath: instancePath + "/record", schemaPath: "#/properties/record/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
      }
    }
    if (data.limits !== void 0) {
      let data9 = data.limits;
      if (data9 && typeof data9 == "object" && !Array.isArray(data9)) {
        for (let key2 in data9)
          if (key2 !== "creates") {
            let err20 = { instancePath: instancePath + "/limits", schemaPath: "#/properties/limits/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
          }
        if (data9.creates !== void 0) {
          let data10 = data9.creates;
          if (!(typeof data10 == "number" && !(data10 % 1) && !isNaN(data10))) {
            let err21 = { instancePath: instancePath + "/limits/creates", schemaPath: "#/properties/limits/properties/creates/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
          }
          if (typeof data10 == "number" && (data10 < 0 || isNaN(data10))) {
            let err22 = { instancePath: instancePath + "/limits/creates", schemaPath: "#/properties/limits/properties/creates/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
            vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
          }
        }
      } else {
        let err23 = { instancePath: instancePath + "/limits", schemaPath: "#/properties/limits/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
      }
    }
    if (data.lint !== void 0) {
      let data11 = data.lint;
      if (data11 && typeof data11 == "object" && !Array.isArray(data11))
        for (let key3 in data11) {
          let data12 = data11[key3];
          if (!(data12 === "off" || data12 === "warn" || data12 === "error")) {
            let err24 = { instancePath: instancePath + "/lint/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lint/additionalProperties/enum", keyword: "enum", params: { allowedValues: schema19.properties.lint.additionalProperties.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
          }
        }
      else {
        let err25 = { instancePath: instancePath + "/lint", schemaPath: "#/properties/lint/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
      }
    }
    if (data.service !== void 0) {
      let data13 = data.service;
      if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
        for (let key4 in data13)
          if (!(key4 === "publish" || key4 === "parameters")) {
            let err26 = { instancePath: instancePath + "/service", schemaPath: "#/properties/service/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
          }
        if (data13.publish !== void 0) {
          let data14 = data13.publish;
          if (typeof data14 == "string") {
            if (!pattern4.test(data14)) {
              let err27 = { instancePath: instancePath + "/service/publish", schemaPath: "#/properties/service/properties/publish/pattern", keyword: "pattern", params: { pattern: "^/" }, message: 'must match pattern "^/"' };
              vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
            }
          } else {
            let err28 = { instancePath: instancePath + "/service/publish", schemaPath: "#/properties/service/properties/publish/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
          }
        }
        if (data13.parameters !== void 0) {
          let data15 = data13.parameters;
          if (data15 && typeof data15 == "object" && !Array.isArray(data15)) {
            for (let key5 in data15)
              if (!(key5 === "resellerId" || key5 === "pagination" || key5 === "page" || key5 === "pageSize" || key5 === "unread")) {
                let err29 = { instancePath: instancePath + "/service/parameters", schemaPath: "#/properties/service/properties/parameters/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
              }
            if (data15.resellerId !== void 0) {
              let data16 = data15.resellerId;
              if (typeof data16 == "string") {
                if (func2(data16) < 1) {
                  let err30 = { instancePath: instancePath + "/service/parameters/resellerId", schemaPath: "#/properties/service/properties/parameters/properties/resellerId/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
                }
              } else {
                let err31 = { instancePath: instancePath + "/service/parameters/resellerId", schemaPath: "#/properties/service/properties/parameters/properties/resellerId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
              }
            }
            if (data15.pagination !== void 0) {
              let data17 = data15.pagination;
              if (typeof data17 == "string") {
                if (func2(data17) < 1) {
                  let err32 = { instancePath: instancePath + "/service/parameters/pagination", schemaPath: "#/properties/service/properties/parameters/properties/pagination/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
                }
              } else {
                let err33 = { instancePath: instancePath + "/service/parameters/pagination", schemaPath: "#/properties/service/properties/parameters/properties/pagination/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
              }
            }
            if (data15.page !== void 0) {
              let data18 = data15.page;
              if (typeof data18 == "string") {
                if (func2(data18) < 1) {
                  let err34 = { instancePath: instancePath + "/service/parameters/page", schemaPath: "#/properties/service/properties/parameters/properties/page/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err34] : vErrors.push(err34), errors++;
                }
              } else {
                let err35 = { instancePath: instancePath + "/service/parameters/page", schemaPath: "#/properties/service/properties/parameters/properties/page/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err35] : vErrors.push(err35), errors++;
              }
            }
            if (data15.pageSize !== void 0) {
              let data19 = data15.pageSize;
              if (typeof data19 == "string") {
                if (func2(data19) < 1) {
                  let err36 = { instancePath: instancePath + "/service/parameters/pageSize", schemaPath: "#/properties/service/properties/parameters/properties/pageSize/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err36] : vErrors.push(err36), errors++;
                }
              } else {
                let err37 = { instancePath: instancePath + "/service/parameters/pageSize", schemaPath: "#/properties/service/properties/parameters/properties/pageSize/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err37] : vErrors.push(err37), errors++;
              }
            }
            if (data15.unread !== void 0) {
              let data20 = data15.unread;
              if (typeof data20 == "string") {
                if (func2(data20) < 1) {
                  let err38 = { instancePath: instancePath + "/service/parameters/unread", schemaPath: "#/properties/service/properties/parameters/properties/unread/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err38] : vErrors.push(err38), errors++;
                }
              } else {
                let err39 = { instancePath: instancePath + "/service/parameters/unread", schemaPath: "#/properties/service/properties/parameters/properties/unread/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err39] : vErrors.push(err39), errors++;
              }
            }
          } else {
            let err40 = { instancePath: instancePath + "/service/parameters", schemaPath: "#/properties/service/properties/parameters/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err40] : vErrors.push(err40), errors++;
          }
        }
      } else {
        let err41 = { instancePath: instancePath + "/service", schemaPath: "#/properties/service/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err41] : vErrors.push(err41), errors++;
      }
    }
    if (data.environments !== void 0) {
      let data21 = data.environments;
      if (data21 && typeof data21 == "object" && !Array.isArray(data21)) {
        if (Object.keys(data21).length < 1) {
          let err42 = { instancePath: instancePath + "/environments", schemaPath: "#/properties/environments/minProperties", keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties" };
          vErrors === null ? vErrors = [err42] : vErrors.push(err42), errors++;
        }
        for (let key6 in data21) {
          let _errs47 = errors;
          if (typeof key6 == "string" && !pattern5.test(key6)) {
            let err43 = { instancePath: instancePath + "/environments", schemaPath: "#/properties/environments/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, message: 'must match pattern "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"', propertyName: key6 };
            vErrors === null ? vErrors = [err43] : vErrors.push(err43), errors++;
          }
          var valid8 = _errs47 === errors;
          if (!valid8) {
            let err44 = { instancePath: instancePath + "/environments", schemaPath: "#/properties/environments/propertyNames", keyword: "propertyNames", params: { propertyName: key6 }, message: "property name must be valid" };
            vErrors === null ? vErrors = [err44] : vErrors.push(err44), errors++;
          }
        }
        for (let key7 in data21)
          validate53(data21[key7], { instancePath: instancePath + "/environments/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"), parentData: data21, parentDataProperty: key7, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors), errors = vErrors.length);
      } else {
        let err45 = { instancePath: instancePath + "/environments", schemaPath: "#/properties/environments/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err45] : vErrors.push(err45), errors++;
      }
    }
  } else {
    let err46 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err46] : vErrors.push(err46), errors++;
  }
  return validate52.errors = vErrors, errors === 0;
}
validate52.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
export {
  projectFile
};
