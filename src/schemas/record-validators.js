// Generated from schemas/ by `npm run generate`. Do not edit.
// <stdin>
var recordFile = validate52, schema19 = { $schema: "https://json-schema.org/draft/2020-12/schema", title: "ResourceRecord", description: "What agentform applied last time to one resource in one environment.", type: "object", required: ["formatVersion", "environment", "kind", "name", "host", "query", "fields"], additionalProperties: !1, properties: { formatVersion: { description: "2 since agentform 0.2; a record of version 1 is read too, and written as version 2.", enum: [1, 2] }, environment: { type: "string" }, kind: { type: "string" }, name: { type: "string" }, id: { description: "The id on the service; absent while a create is under way or its outcome unclear.", type: "string" }, host: { description: "Host, and port if any, of the base URL; `emulator` for the embedded emulator.", type: "string" }, query: { description: "The extra query parameters; a sensitive one as its fingerprint.", type: "object", additionalProperties: { type: "string" } }, credentials: { $ref: "#/$defs/Credentials" }, fields: { description: "The values last applied, by path.", type: "object", additionalProperties: { $ref: "#/$defs/AppliedField" } }, lastUpdate: { description: "lastUpdate of the read right after the last apply, in milliseconds since the epoch.", type: "integer" }, draft: { description: "Of an agent: `written` if an apply wrote its draft and did not publish it, `published` if agentform published it since; absent where agentform did neither.", enum: ["written", "published"] }, intent: { $ref: "#/$defs/Intent" }, appliedAt: { description: "When, as an ISO 8601 UTC time.", type: "string" }, commit: { description: "The commit of the project that was applied.", type: "string" } }, $defs: { AppliedField: { description: "One value as it was sent, and as it was read back where the service normalised it.", type: "object", additionalProperties: !1, properties: { value: { tsType: "unknown" }, readBack: { tsType: "unknown" }, fingerprint: { type: "string" }, readBackFingerprint: { type: "string" } } }, Credentials: { description: "What tells the token that the resource was written with from another one.", type: "object", additionalProperties: !1, properties: { fingerprint: { description: "The token's fingerprint; absent where the token was not known.", type: "string" }, secret: { description: "The name of the secret that holds the token.", type: "string" } } }, Intent: { description: "A create that was begun and has not been settled.", type: "object", required: ["operation", "startedAt"], additionalProperties: !1, properties: { operation: { const: "create" }, startedAt: { type: "string" }, runId: { description: "A random id of the run that began it, which tells its intent from that of any other run; absent in records of 0.1.", type: "string" } } } }, $id: "urn:validator:recordFile" }, func1 = Object.prototype.hasOwnProperty;
function validate53(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate53.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 in data)
      if (!(key0 === "fingerprint" || key0 === "secret")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.fingerprint !== void 0 && typeof data.fingerprint != "string") {
      let err1 = { instancePath: instancePath + "/fingerprint", schemaPath: "#/properties/fingerprint/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.secret !== void 0 && typeof data.secret != "string") {
      let err2 = { instancePath: instancePath + "/secret", schemaPath: "#/properties/secret/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
  } else {
    let err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
  }
  return validate53.errors = vErrors, errors === 0;
}
validate53.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate55(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate55.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 in data)
      if (!(key0 === "value" || key0 === "readBack" || key0 === "fingerprint" || key0 === "readBackFingerprint")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.fingerprint !== void 0 && typeof data.fingerprint != "string") {
      let err1 = { instancePath: instancePath + "/fingerprint", schemaPath: "#/properties/fingerprint/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.readBackFingerprint !== void 0 && typeof data.readBackFingerprint != "string") {
      let err2 = { instancePath: instancePath + "/readBackFingerprint", schemaPath: "#/properties/readBackFingerprint/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
  } else {
    let err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
  }
  return validate55.errors = vErrors, errors === 0;
}
validate55.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate57(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate57.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.operation === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "operation" }, message: "must have required property 'operation'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.startedAt === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "startedAt" }, message: "must have required property 'startedAt'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "operation" || key0 === "startedAt" || key0 === "runId")) {
        let err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    if (data.operation !== void 0 && data.operation !== "create") {
      let err3 = { instancePath: instancePath + "/operation", schemaPath: "#/properties/operation/const", keyword: "const", params: { allowedValue: "create" }, message: "must be equal to constant" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.startedAt !== void 0 && typeof data.startedAt != "string") {
      let err4 = { instancePath: instancePath + "/startedAt", schemaPath: "#/properties/startedAt/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.runId !== void 0 && typeof data.runId != "string") {
      let err5 = { instancePath: instancePath + "/runId", schemaPath: "#/properties/runId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
  } else {
    let err6 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
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
    if (data.kind === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "kind" }, message: "must have required property 'kind'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.name === void 0) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.host === void 0) {
      let err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "host" }, message: "must have required property 'host'" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.query === void 0) {
      let err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "query" }, message: "must have required property 'query'" };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    if (data.fields === void 0) {
      let err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "fields" }, message: "must have required property 'fields'" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    for (let key0 in data)
      if (!func1.call(schema19.properties, key0)) {
        let err7 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
      }
    if (data.formatVersion !== void 0) {
      let data0 = data.formatVersion;
      if (!(data0 === 1 || data0 === 2)) {
        let err8 = { instancePath: instancePath + "/formatVersion", schemaPath: "#/properties/formatVersion/enum", keyword: "enum", params: { allowedValues: schema19.properties.formatVersion.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
      }
    }
    if (data.environment !== void 0 && typeof data.environment != "string") {
      let err9 = { instancePath: instancePath + "/environment", schemaPath: "#/properties/environment/type", keyword: "type", params: { type: "string" }, message: "must be string" };
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
    if (data.host !== void 0 && typeof data.host != "string") {
      let err13 = { instancePath: instancePath + "/host", schemaPath: "#/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
    }
    if (data.query !== void 0) {
      let data6 = data.query;
      if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
        for (let key1 in data6)
          if (typeof data6[key1] != "string") {
            let err14 = { instancePath: instancePath + "/query/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/query/additionalProperties/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
          }
      } else {
        let err15 = { instancePath: instancePath + "/query", schemaPath: "#/properties/query/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
      }
    }
    if (data.credentials !== void 0 && (validate53(data.credentials, { instancePath: instancePath + "/credentials", parentData: data, parentDataProperty: "credentials", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors), errors = vErrors.length)), data.fields !== void 0) {
      let data9 = data.fields;
      if (data9 && typeof data9 == "object" && !Array.isArray(data9))
        for (let key2 in data9)
          validate55(data9[key2], { instancePath: instancePath + "/fields/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), parentData: data9, parentDataProperty: key2, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors), errors = vErrors.length);
      else {
        let err16 = { instancePath: instancePath + "/fields", schemaPath: "#/properties/fields/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
      }
    }
    if (data.lastUpdate !== void 0) {
      let data11 = data.lastUpdate;
      if (!(typeof data11 == "number" && !(data11 % 1) && !isNaN(data11))) {
        let err17 = { instancePath: instancePath + "/lastUpdate", schemaPath: "#/properties/lastUpdate/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
      }
    }
    if (data.draft !== void 0) {
      let data12 = data.draft;
      if (!(data12 === "written" || data12 === "published")) {
        let err18 = { instancePath: instancePath + "/draft", schemaPath: "#/properties/draft/enum", keyword: "enum", params: { allowedValues: schema19.properties.draft.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
      }
    }
    if (data.intent !== void 0 && (validate57(data.intent, { instancePath: instancePath + "/intent", parentData: data, parentDataProperty: "intent", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate57.errors : vErrors.concat(validate57.errors), errors = vErrors.length)), data.appliedAt !== void 0 && typeof data.appliedAt != "string") {
      let err19 = { instancePath: instancePath + "/appliedAt", schemaPath: "#/properties/appliedAt/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
    }
    if (data.commit !== void 0 && typeof data.commit != "string") {
      let err20 = { instancePath: instancePath + "/commit", schemaPath: "#/properties/commit/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
    }
  } else {
    let err21 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
  }
  return validate52.errors = vErrors, errors === 0;
}
validate52.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
export {
  recordFile
};
