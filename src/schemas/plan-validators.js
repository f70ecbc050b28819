// Generated from schemas/ by `npm run generate`. Do not edit.
// <stdin>
var planFile = validate52;
var schema20 = { description: "create to orphans count resources; the others count fields.", type: "object", required: ["create", "update", "unchanged", "blocked", "failed", "orphans", "drift", "conflicts", "blind", "compared", "assumed"], additionalProperties: !1, properties: { create: { type: "integer", minimum: 0 }, update: { type: "integer", minimum: 0 }, unchanged: { type: "integer", minimum: 0 }, blocked: { type: "integer", minimum: 0 }, failed: { type: "integer", minimum: 0 }, orphans: { type: "integer", minimum: 0 }, drift: { description: "Changes with the cause drift.", type: "integer", minimum: 0 }, conflicts: { description: "Changes with the cause conflict.", type: "integer", minimum: 0 }, blind: { description: "Managed fields that are sent without being readable.", type: "integer", minimum: 0 }, compared: { description: "Managed fields compared with live.", type: "integer", minimum: 0 }, assumed: { description: "Managed fields that cannot be read and are unchanged since the last apply.", type: "integer", minimum: 0 } } }, func1 = Object.prototype.hasOwnProperty;
function validate53(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate53.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.create === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "create" }, message: "must have required property 'create'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.update === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "update" }, message: "must have required property 'update'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.unchanged === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "unchanged" }, message: "must have required property 'unchanged'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.blocked === void 0) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "blocked" }, message: "must have required property 'blocked'" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.failed === void 0) {
      let err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "failed" }, message: "must have required property 'failed'" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.orphans === void 0) {
      let err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "orphans" }, message: "must have required property 'orphans'" };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    if (data.drift === void 0) {
      let err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "drift" }, message: "must have required property 'drift'" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    if (data.conflicts === void 0) {
      let err7 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "conflicts" }, message: "must have required property 'conflicts'" };
      vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
    }
    if (data.blind === void 0) {
      let err8 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "blind" }, message: "must have required property 'blind'" };
      vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
    }
    if (data.compared === void 0) {
      let err9 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "compared" }, message: "must have required property 'compared'" };
      vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
    }
    if (data.assumed === void 0) {
      let err10 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "assumed" }, message: "must have required property 'assumed'" };
      vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
    }
    for (let key0 in data)
      if (!func1.call(schema20.properties, key0)) {
        let err11 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
      }
    if (data.create !== void 0) {
      let data0 = data.create;
      if (!(typeof data0 == "number" && !(data0 % 1) && !isNaN(data0))) {
        let err12 = { instancePath: instancePath + "/create", schemaPath: "#/properties/create/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
      }
      if (typeof data0 == "number" && (data0 < 0 || isNaN(data0))) {
        let err13 = { instancePath: instancePath + "/create", schemaPath: "#/properties/create/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
      }
    }
    if (data.update !== void 0) {
      let data1 = data.update;
      if (!(typeof data1 == "number" && !(data1 % 1) && !isNaN(data1))) {
        let err14 = { instancePath: instancePath + "/update", schemaPath: "#/properties/update/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
      }
      if (typeof data1 == "number" && (data1 < 0 || isNaN(data1))) {
        let err15 = { instancePath: instancePath + "/update", schemaPath: "#/properties/update/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
      }
    }
    if (data.unchanged !== void 0) {
      let data2 = data.unchanged;
      if (!(typeof data2 == "number" && !(data2 % 1) && !isNaN(data2))) {
        let err16 = { instancePath: instancePath + "/unchanged", schemaPath: "#/properties/unchanged/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
      }
      if (typeof data2 == "number" && (data2 < 0 || isNaN(data2))) {
        let err17 = { instancePath: instancePath + "/unchanged", schemaPath: "#/properties/unchanged/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
      }
    }
    if (data.blocked !== void 0) {
      let data3 = data.blocked;
      if (!(typeof data3 == "number" && !(data3 % 1) && !isNaN(data3))) {
        let err18 = { instancePath: instancePath + "/blocked", schemaPath: "#/properties/blocked/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
      }
      if (typeof data3 == "number" && (data3 < 0 || isNaN(data3))) {
        let err19 = { instancePath: instancePath + "/blocked", schemaPath: "#/properties/blocked/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
      }
    }
    if (data.failed !== void 0) {
      let data4 = data.failed;
      if (!(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4))) {
        let err20 = { instancePath: instancePath + "/failed", schemaPath: "#/properties/failed/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
      }
      if (typeof data4 == "number" && (data4 < 0 || isNaN(data4))) {
        let err21 = { instancePath: instancePath + "/failed", schemaPath: "#/properties/failed/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
      }
    }
    if (data.orphans !== void 0) {
      let data5 = data.orphans;
      if (!(typeof data5 == "number" && !(data5 % 1) && !isNaN(data5))) {
        let err22 = { instancePath: instancePath + "/orphans", schemaPath: "#/properties/orphans/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
      }
      if (typeof data5 == "number" && (data5 < 0 || isNaN(data5))) {
        let err23 = { instancePath: instancePath + "/orphans", schemaPath: "#/properties/orphans/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
      }
    }
    if (data.drift !== void 0) {
      let data6 = data.drift;
      if (!(typeof data6 == "number" && !(data6 % 1) && !isNaN(data6))) {
        let err24 = { instancePath: instancePath + "/drift", schemaPath: "#/properties/drift/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
      }
      if (typeof data6 == "number" && (data6 < 0 || isNaN(data6))) {
        let err25 = { instancePath: instancePath + "/drift", schemaPath: "#/properties/drift/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
      }
    }
    if (data.conflicts !== void 0) {
      let data7 = data.conflicts;
      if (!(typeof data7 == "number" && !(data7 % 1) && !isNaN(data7))) {
        let err26 = { instancePath: instancePath + "/conflicts", schemaPath: "#/properties/conflicts/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
      }
      if (typeof data7 == "number" && (data7 < 0 || isNaN(data7))) {
        let err27 = { instancePath: instancePath + "/conflicts", schemaPath: "#/properties/conflicts/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
      }
    }
    if (data.blind !== void 0) {
      let data8 = data.blind;
      if (!(typeof data8 == "number" && !(data8 % 1) && !isNaN(data8))) {
        let err28 = { instancePath: instancePath + "/blind", schemaPath: "#/properties/blind/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
      }
      if (typeof data8 == "number" && (data8 < 0 || isNaN(data8))) {
        let err29 = { instancePath: instancePath + "/blind", schemaPath: "#/properties/blind/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
      }
    }
    if (data.compared !== void 0) {
      let data9 = data.compared;
      if (!(typeof data9 == "number" && !(data9 % 1) && !isNaN(data9))) {
        let err30 = { instancePath: instancePath + "/compared", schemaPath: "#/properties/compared/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
      }
      if (typeof data9 == "number" && (data9 < 0 || isNaN(data9))) {
        let err31 = { instancePath: instancePath + "/compared", schemaPath: "#/properties/compared/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
      }
    }
    if (data.assumed !== void 0) {
      let data10 = data.assumed;
      if (!(typeof data10 == "number" && !(data10 % 1) && !isNaN(data10))) {
        let err32 = { instancePath: instancePath + "/assumed", schemaPath: "#/properties/assumed/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
      }
      if (typeof data10 == "number" && (data10 < 0 || isNaN(data10))) {
        let err33 = { instancePath: instancePath + "/assumed", schemaPath: "#/properties/assumed/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
      }
    }
  } else {
    let err34 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err34] : vErrors.push(err34), errors++;
  }
  return validate53.errors = vErrors, errors === 0;
}
validate53.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var schema21 = { type: "object", required: ["rule", "message"], additionalProperties: !1, properties: { rule: { enum: ["shared-target", "limit-creates", "older-commit"] }, message: { type: "string" } } };
function validate55(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate55.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.rule === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "rule" }, message: "must have required property 'rule'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.message === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "message" }, message: "must have required property 'message'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "rule" || key0 === "message")) {
        let err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    if (data.rule !== void 0) {
      let data0 = data.rule;
      if (!(data0 === "shared-target" || data0 === "limit-creates" || data0 === "older-commit")) {
        let err3 = { instancePath: instancePath + "/rule", schemaPath: "#/properties/rule/enum", keyword: "enum", params: { allowedValues: schema21.properties.rule.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    }
    if (data.message !== void 0 && typeof data.message != "string") {
      let err4 = { instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
  } else {
    let err5 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
  }
  return validate55.errors = vErrors, errors === 0;
}
validate55.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var schema22 = { type: "object", required: ["kind", "name", "action", "digest", "target", "coverage", "reasons", "warnings", "changes"], additionalProperties: !1, properties: { kind: { type: "string" }, name: { type: "string" }, id: { description: "The id on the service, where it is known.", type: "string" }, action: { enum: ["create", "update", "none", "blocked", "failed", "orphan"] }, digest: { description: "Digest of the target, the operations and the before-values.", type: "string" }, target: { $ref: "#/$defs/PlanTarget" }, coverage: { $ref: "#/$defs/Coverage" }, reasons: { description: "Why the resource is blocked, failed or an orphan, and the ways out.", type: "array", items: { type: "string" } }, warnings: { type: "array", items: { type: "string" } }, changes: { type: "array", items: { $ref: "#/$defs/Change" } } } };
function validate58(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate58.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.host === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "host" }, message: "must have required property 'host'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.query === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "query" }, message: "must have required property 'query'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "host" || key0 === "query" || key0 === "credentials")) {
        let err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    if (data.host !== void 0 && typeof data.host != "string") {
      let err3 = { instancePath: instancePath + "/host", schemaPath: "#/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.query !== void 0) {
      let data1 = data.query;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        for (let key1 in data1)
          if (typeof data1[key1] != "string") {
            let err4 = { instancePath: instancePath + "/query/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/query/additionalProperties/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
          }
      } else {
        let err5 = { instancePath: instancePath + "/query", schemaPath: "#/properties/query/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.credentials !== void 0 && typeof data.credentials != "string") {
      let err6 = { instancePath: instancePath + "/credentials", schemaPath: "#/properties/credentials/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
  } else {
    let err7 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
  }
  return validate58.errors = vErrors, errors === 0;
}
validate58.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate60(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate60.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.compared === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "compared" }, message: "must have required property 'compared'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.blind === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "blind" }, message: "must have required property 'blind'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.assumed === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "assumed" }, message: "must have required property 'assumed'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "compared" || key0 === "blind" || key0 === "assumed")) {
        let err3 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
      }
    if (data.compared !== void 0) {
      let data0 = data.compared;
      if (!(typeof data0 == "number" && !(data0 % 1) && !isNaN(data0))) {
        let err4 = { instancePath: instancePath + "/compared", schemaPath: "#/properties/compared/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
      if (typeof data0 == "number" && (data0 < 0 || isNaN(data0))) {
        let err5 = { instancePath: instancePath + "/compared", schemaPath: "#/properties/compared/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.blind !== void 0) {
      let data1 = data.blind;
      if (!(typeof data1 == "number" && !(data1 % 1) && !isNaN(data1))) {
        let err6 = { instancePath: instancePath + "/blind", schemaPath: "#/properties/blind/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
      }
      if (typeof data1 == "number" && (data1 < 0 || isNaN(data1))) {
        let err7 = { instancePath: instancePath + "/blind", schemaPath: "#/properties/blind/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
    }
    if (data.assumed !== void 0) {
      let data2 = data.assumed;
      if (!(typeof data2 == "number" && !(data2 % 1) && !isNaN(data2))) {
        let err8 = { instancePath: instancePath + "/assumed", schemaPath: "#/properties/assumed/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
      if (typeof data2 == "number" && (data2 < 0 || isNaN(data2))) {
        let err9 = { instancePath: instancePath + "/assumed", schemaPath: "#/properties/assumed/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
      }
    }
  } else {
    let err10 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
  }
  return validate60.errors = vErrors, errors === 0;
}
validate60.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var schema25 = { type: "object", required: ["op", "path", "cause", "knowledge"], additionalProperties: !1, properties: { op: { enum: ["set", "unset", "release"] }, path: { description: "Such as settings.title or skills[calendar].instructions.", type: "string" }, from: { tsType: "unknown", description: "The live value, or for a field that cannot be read the value last applied; left out when absent or unknown. A sensitive value is a Sensitive." }, to: { tsType: "unknown", description: "The value after; left out when absent. A sensitive value is a Sensitive." }, lastApplied: { tsType: "unknown", description: "Only of a conflict: the value that live and the manifest both moved away from; left out when there was none. A sensitive value is a Sensitive." }, cause: { enum: ["manifest", "drift", "conflict", "adopt", "unverified"] }, knowledge: { enum: ["compared", "blind", "assumed"] } } };
function validate62(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate62.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.op === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "op" }, message: "must have required property 'op'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.path === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.cause === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "cause" }, message: "must have required property 'cause'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.knowledge === void 0) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "knowledge" }, message: "must have required property 'knowledge'" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "op" || key0 === "path" || key0 === "from" || key0 === "to" || key0 === "lastApplied" || key0 === "cause" || key0 === "knowledge")) {
        let err4 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    if (data.op !== void 0) {
      let data0 = data.op;
      if (!(data0 === "set" || data0 === "unset" || data0 === "release")) {
        let err5 = { instancePath: instancePath + "/op", schemaPath: "#/properties/op/enum", keyword: "enum", params: { allowedValues: schema25.properties.op.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    }
    if (data.path !== void 0 && typeof data.path != "string") {
      let err6 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    if (data.cause !== void 0) {
      let data2 = data.cause;
      if (!(data2 === "manifest" || data2 === "drift" || data2 === "conflict" || data2 === "adopt" || data2 === "unverified")) {
        let err7 = { instancePath: instancePath + "/cause", schemaPath: "#/properties/cause/enum", keyword: "enum", params: { allowedValues: schema25.properties.cause.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
    }
    if (data.knowledge !== void 0) {
      let data3 = data.knowledge;
      if (!(data3 === "compared" || data3 === "blind" || data3 === "assumed")) {
        let err8 = { instancePath: instancePath + "/knowledge", schemaPath: "#/properties/knowledge/enum", keyword: "enum", params: { allowedValues: schema25.properties.knowledge.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
    }
  } else {
    let err9 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
  }
  return validate62.errors = vErrors, errors === 0;
}
validate62.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate57(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate57.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.kind === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "kind" }, message: "must have required property 'kind'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.name === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.action === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "action" }, message: "must have required property 'action'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.digest === void 0) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "digest" }, message: "must have required property 'digest'" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.target === void 0) {
      let err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "target" }, message: "must have required property 'target'" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.coverage === void 0) {
      let err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "coverage" }, message: "must have required property 'coverage'" };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    if (data.reasons === void 0) {
      let err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "reasons" }, message: "must have required property 'reasons'" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    if (data.warnings === void 0) {
      let err7 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "warnings" }, message: "must have required property 'warnings'" };
      vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
    }
    if (data.changes === void 0) {
      let err8 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "changes" }, message: "must have required property 'changes'" };
      vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
    }
    for (let key0 in data)
      if (!func1.call(schema22.properties, key0)) {
        let err9 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
      }
    if (data.kind !== void 0 && typeof data.kind != "string") {
      let err10 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
    }
    if (data.name !== void 0 && typeof data.name != "string") {
      let err11 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
    }
    if (data.id !== void 0 && typeof data.id != "string") {
      let err12 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
    }
    if (data.action !== void 0) {
      let data3 = data.action;
      if (!(data3 === "create" || data3 === "update" || data3 === "none" || data3 === "blocked" || data3 === "failed" || data3 === "orphan")) {
        let err13 = { instancePath: instancePath + "/action", schemaPath: "#/properties/action/enum", keyword: "enum", params: { allowedValues: schema22.properties.action.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
      }
    }
    if (data.digest !== void 0 && typeof data.digest != "string") {
      let err14 = { instancePath: instancePath + "/digest", schemaPath: "#/properties/digest/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
    }
    if (data.target !== void 0 && (validate58(data.target, { instancePath: instancePath + "/target", parentData: data, parentDataProperty: "target", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate58.errors : vErrors.concat(validate58.errors), errors = vErrors.length)), data.coverage !== void 0 && (validate60(data.coverage, { instancePath: instancePath + "/coverage", parentData: data, parentDataProperty: "coverage", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors), errors = vErrors.length)), data.reasons !== void 0) {
      let data7 = data.reasons;
      if (Array.isArray(data7)) {
        let len0 = data7.length;
        for (let i0 = 0; i0 < len0; i0++)
          if (typeof data7[i0] != "string") {
            let err15 = { instancePath: instancePath + "/reasons/" + i0, schemaPath: "#/properties/reasons/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
          }
      } else {
        let err16 = { instancePath: instancePath + "/reasons", schemaPath: "#/properties/reasons/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
      }
    }
    if (data.warnings !== void 0) {
      let data9 = data.warnings;
      if (Array.isArray(data9)) {
        let len1 = data9.length;
        for (let i1 = 0; i1 < len1; i1++)
          if (typeof data9[i1] != "string") {
            let err17 = { instancePath: instancePath + "/warnings/" + i1, schemaPath: "#/properties/warnings/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
          }
      } else {
        let err18 = { instancePath: instancePath + "/warnings", schemaPath: "#/properties/warnings/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
      }
    }
    if (data.changes !== void 0) {
      let data11 = data.changes;
      if (Array.isArray(data11)) {
        let len2 = data11.length;
        for (let i2 = 0; i2 < len2; i2++)
          validate62(data11[i2], { instancePath: instancePath + "/changes/" + i2, parentData: data11, parentDataProperty: i2, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors), errors = vErrors.length);
      } else {
        let err19 = { instancePath: instancePath + "/changes", schemaPath: "#/properties/changes/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
      }
    }
  } else {
    let err20 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
  }
  return validate57.errors = vErrors, errors === 0;
}
validate57.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate52(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate52.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.formatVersion === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "formatVersion" }, message: "must have required property 'formatVersion'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.environment === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "environment" }, message: "must have required property 'environment'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.digest === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "digest" }, message: "must have required property 'digest'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.checksum === void 0) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "checksum" }, message: "must have required property 'checksum'" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.summary === void 0) {
      let err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "summary" }, message: "must have required property 'summary'" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.refusals === void 0) {
      let err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "refusals" }, message: "must have required property 'refusals'" };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    if (data.resources === void 0) {
      let err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "resources" }, message: "must have required property 'resources'" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "formatVersion" || key0 === "environment" || key0 === "offline" || key0 === "digest" || key0 === "checksum" || key0 === "summary" || key0 === "refusals" || key0 === "resources")) {
        let err7 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
    if (data.formatVersion !== void 0 && data.formatVersion !== 2) {
      let err8 = { instancePath: instancePath + "/formatVersion", schemaPath: "#/properties/formatVersion/const", keyword: "const", params: { allowedValue: 2 }, message: "must be equal to constant" };
      vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
    }
    if (data.environment !== void 0 && typeof data.environment != "string") {
      let err9 = { instancePath: instancePath + "/environment", schemaPath: "#/properties/environment/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
    }
    if (data.offline !== void 0) {
      let data2 = data.offline;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.base === void 0) {
          let err10 = { instancePath: instancePath + "/offline", schemaPath: "#/properties/offline/required", keyword: "required", params: { missingProperty: "base" }, message: "must have required property 'base'" };
          vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
        }
        for (let key1 in data2)
          if (key1 !== "base") {
            let err11 = { instancePath: instancePath + "/offline", schemaPath: "#/properties/offline/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
          }
        if (data2.base !== void 0 && typeof data2.base != "string") {
          let err12 = { instancePath: instancePath + "/offline/base", schemaPath: "#/properties/offline/properties/base/type", keyword: "type", params: { type: "string" }, message: "must be string" };
          vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
        }
      } else {
        let err13 = { instancePath: instancePath + "/offline", schemaPath: "#/properties/offline/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
      }
    }
    if (data.digest !== void 0 && typeof data.digest != "string") {
      let err14 = { instancePath: instancePath + "/digest", schemaPath: "#/properties/digest/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
    }
    if (data.checksum !== void 0 && typeof data.checksum != "string") {
      let err15 = { instancePath: instancePath + "/checksum", schemaPath: "#/properties/checksum/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
    }
    if (data.summary !== void 0 && (validate53(data.summary, { instancePath: instancePath + "/summary", parentData: data, parentDataProperty: "summary", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors), errors = vErrors.length)), data.refusals !== void 0) {
      let data7 = data.refusals;
      if (Array.isArray(data7)) {
        let len0 = data7.length;
        for (let i0 = 0; i0 < len0; i0++)
          validate55(data7[i0], { instancePath: instancePath + "/refusals/" + i0, parentData: data7, parentDataProperty: i0, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors), errors = vErrors.length);
      } else {
        let err16 = { instancePath: instancePath + "/refusals", schemaPath: "#/properties/refusals/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
      }
    }
    if (data.resources !== void 0) {
      let data9 = data.resources;
      if (Array.isArray(data9)) {
        let len1 = data9.length;
        for (let i1 = 0; i1 < len1; i1++)
          validate57(data9[i1], { instancePath: instancePath + "/resources/" + i1, parentData: data9, parentDataProperty: i1, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate57.errors : vErrors.concat(validate57.errors), errors = vErrors.length);
      } else {
        let err17 = { instancePath: instancePath + "/resources", schemaPath: "#/properties/resources/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
      }
    }
  } else {
    let err18 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
  }
  return validate52.errors = vErrors, errors === 0;
}
validate52.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
export {
  planFile
};
