// Generated from schemas/ by `npm run generate`. Do not edit.
// <stdin>
var driftFile = validate52;
var schema20 = { description: "drifted to orphans count resources, each once; the others count fields.", type: "object", required: ["drifted", "inDoubt", "unmoved", "unapplied", "unreadable", "blocked", "failed", "orphans", "moves", "conflicts", "doubts", "compared", "assumed"], additionalProperties: !1, properties: { drifted: { type: "integer", minimum: 0 }, inDoubt: { type: "integer", minimum: 0 }, unmoved: { type: "integer", minimum: 0 }, unapplied: { type: "integer", minimum: 0 }, unreadable: { type: "integer", minimum: 0 }, blocked: { type: "integer", minimum: 0 }, failed: { type: "integer", minimum: 0 }, orphans: { type: "integer", minimum: 0 }, moves: { description: "Fields that moved.", type: "integer", minimum: 0 }, conflicts: { description: "Those of them that the manifest moved too, differently.", type: "integer", minimum: 0 }, doubts: { description: "Fields that cannot be read and may have moved.", type: "integer", minimum: 0 }, compared: { description: "Applied fields that live shows.", type: "integer", minimum: 0 }, assumed: { description: "Applied fields that cannot be read, of agents that nobody touched.", type: "integer", minimum: 0 } } }, func1 = Object.prototype.hasOwnProperty;
function validate53(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate53.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.drifted === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "drifted" }, message: "must have required property 'drifted'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.inDoubt === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "inDoubt" }, message: "must have required property 'inDoubt'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.unmoved === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "unmoved" }, message: "must have required property 'unmoved'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.unapplied === void 0) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "unapplied" }, message: "must have required property 'unapplied'" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.unreadable === void 0) {
      let err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "unreadable" }, message: "must have required property 'unreadable'" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.blocked === void 0) {
      let err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "blocked" }, message: "must have required property 'blocked'" };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    if (data.failed === void 0) {
      let err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "failed" }, message: "must have required property 'failed'" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    if (data.orphans === void 0) {
      let err7 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "orphans" }, message: "must have required property 'orphans'" };
      vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
    }
    if (data.moves === void 0) {
      let err8 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "moves" }, message: "must have required property 'moves'" };
      vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
    }
    if (data.conflicts === void 0) {
      let err9 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "conflicts" }, message: "must have required property 'conflicts'" };
      vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
    }
    if (data.doubts === void 0) {
      let err10 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "doubts" }, message: "must have required property 'doubts'" };
      vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
    }
    if (data.compared === void 0) {
      let err11 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "compared" }, message: "must have required property 'compared'" };
      vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
    }
    if (data.assumed === void 0) {
      let err12 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "assumed" }, message: "must have required property 'assumed'" };
      vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
    }
    for (let key0 in data)
      if (!func1.call(schema20.properties, key0)) {
        let err13 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
      }
    if (data.drifted !== void 0) {
      let data0 = data.drifted;
      if (!(typeof data0 == "number" && !(data0 % 1) && !isNaN(data0))) {
        let err14 = { instancePath: instancePath + "/drifted", schemaPath: "#/properties/drifted/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
      }
      if (typeof data0 == "number" && (data0 < 0 || isNaN(data0))) {
        let err15 = { instancePath: instancePath + "/drifted", schemaPath: "#/properties/drifted/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
      }
    }
    if (data.inDoubt !== void 0) {
      let data1 = data.inDoubt;
      if (!(typeof data1 == "number" && !(data1 % 1) && !isNaN(data1))) {
        let err16 = { instancePath: instancePath + "/inDoubt", schemaPath: "#/properties/inDoubt/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
      }
      if (typeof data1 == "number" && (data1 < 0 || isNaN(data1))) {
        let err17 = { instancePath: instancePath + "/inDoubt", schemaPath: "#/properties/inDoubt/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
      }
    }
    if (data.unmoved !== void 0) {
      let data2 = data.unmoved;
      if (!(typeof data2 == "number" && !(data2 % 1) && !isNaN(data2))) {
        let err18 = { instancePath: instancePath + "/unmoved", schemaPath: "#/properties/unmoved/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
      }
      if (typeof data2 == "number" && (data2 < 0 || isNaN(data2))) {
        let err19 = { instancePath: instancePath + "/unmoved", schemaPath: "#/properties/unmoved/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
      }
    }
    if (data.unapplied !== void 0) {
      let data3 = data.unapplied;
      if (!(typeof data3 == "number" && !(data3 % 1) && !isNaN(data3))) {
        let err20 = { instancePath: instancePath + "/unapplied", schemaPath: "#/properties/unapplied/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
      }
      if (typeof data3 == "number" && (data3 < 0 || isNaN(data3))) {
        let err21 = { instancePath: instancePath + "/unapplied", schemaPath: "#/properties/unapplied/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
      }
    }
    if (data.unreadable !== void 0) {
      let data4 = data.unreadable;
      if (!(typeof data4 == "number" && !(data4 % 1) && !isNaN(data4))) {
        let err22 = { instancePath: instancePath + "/unreadable", schemaPath: "#/properties/unreadable/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
      }
      if (typeof data4 == "number" && (data4 < 0 || isNaN(data4))) {
        let err23 = { instancePath: instancePath + "/unreadable", schemaPath: "#/properties/unreadable/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
      }
    }
    if (data.blocked !== void 0) {
      let data5 = data.blocked;
      if (!(typeof data5 == "number" && !(data5 % 1) && !isNaN(data5))) {
        let err24 = { instancePath: instancePath + "/blocked", schemaPath: "#/properties/blocked/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
      }
      if (typeof data5 == "number" && (data5 < 0 || isNaN(data5))) {
        let err25 = { instancePath: instancePath + "/blocked", schemaPath: "#/properties/blocked/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
      }
    }
    if (data.failed !== void 0) {
      let data6 = data.failed;
      if (!(typeof data6 == "number" && !(data6 % 1) && !isNaN(data6))) {
        let err26 = { instancePath: instancePath + "/failed", schemaPath: "#/properties/failed/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
      }
      if (typeof data6 == "number" && (data6 < 0 || isNaN(data6))) {
        let err27 = { instancePath: instancePath + "/failed", schemaPath: "#/properties/failed/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
      }
    }
    if (data.orphans !== void 0) {
      let data7 = data.orphans;
      if (!(typeof data7 == "number" && !(data7 % 1) && !isNaN(data7))) {
        let err28 = { instancePath: instancePath + "/orphans", schemaPath: "#/properties/orphans/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
      }
      if (typeof data7 == "number" && (data7 < 0 || isNaN(data7))) {
        let err29 = { instancePath: instancePath + "/orphans", schemaPath: "#/properties/orphans/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
      }
    }
    if (data.moves !== void 0) {
      let data8 = data.moves;
      if (!(typeof data8 == "number" && !(data8 % 1) && !isNaN(data8))) {
        let err30 = { instancePath: instancePath + "/moves", schemaPath: "#/properties/moves/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
      }
      if (typeof data8 == "number" && (data8 < 0 || isNaN(data8))) {
        let err31 = { instancePath: instancePath + "/moves", schemaPath: "#/properties/moves/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
      }
    }
    if (data.conflicts !== void 0) {
      let data9 = data.conflicts;
      if (!(typeof data9 == "number" && !(data9 % 1) && !isNaN(data9))) {
        let err32 = { instancePath: instancePath + "/conflicts", schemaPath: "#/properties/conflicts/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
      }
      if (typeof data9 == "number" && (data9 < 0 || isNaN(data9))) {
        let err33 = { instancePath: instancePath + "/conflicts", schemaPath: "#/properties/conflicts/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
      }
    }
    if (data.doubts !== void 0) {
      let data10 = data.doubts;
      if (!(typeof data10 == "number" && !(data10 % 1) && !isNaN(data10))) {
        let err34 = { instancePath: instancePath + "/doubts", schemaPath: "#/properties/doubts/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err34] : vErrors.push(err34), errors++;
      }
      if (typeof data10 == "number" && (data10 < 0 || isNaN(data10))) {
        let err35 = { instancePath: instancePath + "/doubts", schemaPath: "#/properties/doubts/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err35] : vErrors.push(err35), errors++;
      }
    }
    if (data.compared !== void 0) {
      let data11 = data.compared;
      if (!(typeof data11 == "number" && !(data11 % 1) && !isNaN(data11))) {
        let err36 = { instancePath: instancePath + "/compared", schemaPath: "#/properties/compared/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err36] : vErrors.push(err36), errors++;
      }
      if (typeof data11 == "number" && (data11 < 0 || isNaN(data11))) {
        let err37 = { instancePath: instancePath + "/compared", schemaPath: "#/properties/compared/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err37] : vErrors.push(err37), errors++;
      }
    }
    if (data.assumed !== void 0) {
      let data12 = data.assumed;
      if (!(typeof data12 == "number" && !(data12 % 1) && !isNaN(data12))) {
        let err38 = { instancePath: instancePath + "/assumed", schemaPath: "#/properties/assumed/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err38] : vErrors.push(err38), errors++;
      }
      if (typeof data12 == "number" && (data12 < 0 || isNaN(data12))) {
        let err39 = { instancePath: instancePath + "/assumed", schemaPath: "#/properties/assumed/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err39] : vErrors.push(err39), errors++;
      }
    }
  } else {
    let err40 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err40] : vErrors.push(err40), errors++;
  }
  return validate53.errors = vErrors, errors === 0;
}
validate53.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var schema21 = { type: "object", required: ["kind", "name", "status", "target", "compared", "assumed", "reasons", "moves", "doubts"], additionalProperties: !1, properties: { kind: { type: "string" }, name: { type: "string" }, id: { description: "The id on the service, where it is known.", type: "string" }, status: { description: "`drifted`: something moved. `in doubt`: nothing that can be read moved, but the agent was touched. `unmoved`: as it was applied. `unapplied`: agentform applied nothing yet. `unreadable`: the service does not show this kind. `blocked`, `failed`, `orphan`: as in a plan; nothing is known.", enum: ["drifted", "in doubt", "unmoved", "unapplied", "unreadable", "blocked", "failed", "orphan"] }, target: { $ref: "#/$defs/DriftTarget" }, touched: { description: "Whether somebody wrote the agent since the last apply; left out where it was not read or never applied.", type: "boolean" }, lastUpdate: { $ref: "#/$defs/LastUpdate" }, compared: { type: "integer", minimum: 0 }, assumed: { type: "integer", minimum: 0 }, reasons: { description: "Why nothing is known, and the ways out.", type: "array", items: { type: "string" } }, moves: { type: "array", items: { $ref: "#/$defs/Move" } }, doubts: { type: "array", items: { $ref: "#/$defs/Doubt" } } } };
function validate56(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate56.evaluated;
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
      if (!(key0 === "host" || key0 === "query")) {
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
  } else {
    let err6 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
  }
  return validate56.errors = vErrors, errors === 0;
}
validate56.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate58(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate58.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    for (let key0 in data)
      if (!(key0 === "seen" || key0 === "live")) {
        let err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    if (data.seen !== void 0 && typeof data.seen != "number") {
      let err1 = { instancePath: instancePath + "/seen", schemaPath: "#/properties/seen/type", keyword: "type", params: { type: "number" }, message: "must be number" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.live !== void 0 && typeof data.live != "number") {
      let err2 = { instancePath: instancePath + "/live", schemaPath: "#/properties/live/type", keyword: "type", params: { type: "number" }, message: "must be number" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
  } else {
    let err3 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
  }
  return validate58.errors = vErrors, errors === 0;
}
validate58.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var schema24 = { description: "A field, or an element of a list, that is not as it was applied. Sensitive values are masked.", type: "object", required: ["path", "effect"], additionalProperties: !1, properties: { path: { description: "Such as settings.title or skills[calendar].instructions.", type: "string" }, lastApplied: { tsType: "unknown", description: "Left out when it was not there." }, live: { tsType: "unknown", description: "Left out when it is gone." }, wanted: { tsType: "unknown", description: "Left out when the manifest does not declare it." }, effect: { description: "What the next apply does about it. `set back`: sets what the manifest says. `conflict`: refuses it, because the manifest moved too. `wanted already`: records it, because the manifest moved alike. `released`: stops managing it. `nothing`: the manifest no longer declares it, and there is nothing to unset.", enum: ["set back", "conflict", "wanted already", "released", "nothing"] } } };
function validate60(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate60.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.path === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.effect === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "effect" }, message: "must have required property 'effect'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "path" || key0 === "lastApplied" || key0 === "live" || key0 === "wanted" || key0 === "effect")) {
        let err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    if (data.path !== void 0 && typeof data.path != "string") {
      let err3 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.effect !== void 0) {
      let data1 = data.effect;
      if (!(data1 === "set back" || data1 === "conflict" || data1 === "wanted already" || data1 === "released" || data1 === "nothing")) {
        let err4 = { instancePath: instancePath + "/effect", schemaPath: "#/properties/effect/enum", keyword: "enum", params: { allowedValues: schema24.properties.effect.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
  } else {
    let err5 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
  }
  return validate60.errors = vErrors, errors === 0;
}
validate60.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var schema25 = { description: "A field that cannot be read, of an agent that somebody touched.", type: "object", required: ["path", "effect"], additionalProperties: !1, properties: { path: { type: "string" }, lastApplied: { tsType: "unknown" }, effect: { description: "What the next apply does about it. `sent`: sends what the manifest says. `reported`: names it only (`unverified: report`). `released`: stops managing it.", enum: ["sent", "reported", "released"] } } };
function validate62(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate62.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.path === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.effect === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "effect" }, message: "must have required property 'effect'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "path" || key0 === "lastApplied" || key0 === "effect")) {
        let err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
      }
    if (data.path !== void 0 && typeof data.path != "string") {
      let err3 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.effect !== void 0) {
      let data1 = data.effect;
      if (!(data1 === "sent" || data1 === "reported" || data1 === "released")) {
        let err4 = { instancePath: instancePath + "/effect", schemaPath: "#/properties/effect/enum", keyword: "enum", params: { allowedValues: schema25.properties.effect.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
      }
    }
  } else {
    let err5 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
  }
  return validate62.errors = vErrors, errors === 0;
}
validate62.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
function validate55(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate55.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.kind === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "kind" }, message: "must have required property 'kind'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.name === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.status === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "status" }, message: "must have required property 'status'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.target === void 0) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "target" }, message: "must have required property 'target'" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.compared === void 0) {
      let err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "compared" }, message: "must have required property 'compared'" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.assumed === void 0) {
      let err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "assumed" }, message: "must have required property 'assumed'" };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    if (data.reasons === void 0) {
      let err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "reasons" }, message: "must have required property 'reasons'" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    if (data.moves === void 0) {
      let err7 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "moves" }, message: "must have required property 'moves'" };
      vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
    }
    if (data.doubts === void 0) {
      let err8 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "doubts" }, message: "must have required property 'doubts'" };
      vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
    }
    for (let key0 in data)
      if (!func1.call(schema21.properties, key0)) {
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
    if (data.status !== void 0) {
      let data3 = data.status;
      if (!(data3 === "drifted" || data3 === "in doubt" || data3 === "unmoved" || data3 === "unapplied" || data3 === "unreadable" || data3 === "blocked" || data3 === "failed" || data3 === "orphan")) {
        let err13 = { instancePath: instancePath + "/status", schemaPath: "#/properties/status/enum", keyword: "enum", params: { allowedValues: schema21.properties.status.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
      }
    }
    if (data.target !== void 0 && (validate56(data.target, { instancePath: instancePath + "/target", parentData: data, parentDataProperty: "target", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors), errors = vErrors.length)), data.touched !== void 0 && typeof data.touched != "boolean") {
      let err14 = { instancePath: instancePath + "/touched", schemaPath: "#/properties/touched/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
    }
    if (data.lastUpdate !== void 0 && (validate58(data.lastUpdate, { instancePath: instancePath + "/lastUpdate", parentData: data, parentDataProperty: "lastUpdate", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate58.errors : vErrors.concat(validate58.errors), errors = vErrors.length)), data.compared !== void 0) {
      let data7 = data.compared;
      if (!(typeof data7 == "number" && !(data7 % 1) && !isNaN(data7))) {
        let err15 = { instancePath: instancePath + "/compared", schemaPath: "#/properties/compared/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
      }
      if (typeof data7 == "number" && (data7 < 0 || isNaN(data7))) {
        let err16 = { instancePath: instancePath + "/compared", schemaPath: "#/properties/compared/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
      }
    }
    if (data.assumed !== void 0) {
      let data8 = data.assumed;
      if (!(typeof data8 == "number" && !(data8 % 1) && !isNaN(data8))) {
        let err17 = { instancePath: instancePath + "/assumed", schemaPath: "#/properties/assumed/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
      }
      if (typeof data8 == "number" && (data8 < 0 || isNaN(data8))) {
        let err18 = { instancePath: instancePath + "/assumed", schemaPath: "#/properties/assumed/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
        vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
      }
    }
    if (data.reasons !== void 0) {
      let data9 = data.reasons;
      if (Array.isArray(data9)) {
        let len0 = data9.length;
        for (let i0 = 0; i0 < len0; i0++)
          if (typeof data9[i0] != "string") {
            let err19 = { instancePath: instancePath + "/reasons/" + i0, schemaPath: "#/properties/reasons/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
          }
      } else {
        let err20 = { instancePath: instancePath + "/reasons", schemaPath: "#/properties/reasons/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
      }
    }
    if (data.moves !== void 0) {
      let data11 = data.moves;
      if (Array.isArray(data11)) {
        let len1 = data11.length;
        for (let i1 = 0; i1 < len1; i1++)
          validate60(data11[i1], { instancePath: instancePath + "/moves/" + i1, parentData: data11, parentDataProperty: i1, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors), errors = vErrors.length);
      } else {
        let err21 = { instancePath: instancePath + "/moves", schemaPath: "#/properties/moves/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
      }
    }
    if (data.doubts !== void 0) {
      let data13 = data.doubts;
      if (Array.isArray(data13)) {
        let len2 = data13.length;
        for (let i2 = 0; i2 < len2; i2++)
          validate62(data13[i2], { instancePath: instancePath + "/doubts/" + i2, parentData: data13, parentDataProperty: i2, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors), errors = vErrors.length);
      } else {
        let err22 = { instancePath: instancePath + "/doubts", schemaPath: "#/properties/doubts/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
      }
    }
  } else {
    let err23 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
  }
  return validate55.errors = vErrors, errors === 0;
}
validate55.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
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
    if (data.summary === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "summary" }, message: "must have required property 'summary'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.warnings === void 0) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "warnings" }, message: "must have required property 'warnings'" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.resources === void 0) {
      let err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "resources" }, message: "must have required property 'resources'" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    for (let key0 in data)
      if (!(key0 === "formatVersion" || key0 === "environment" || key0 === "summary" || key0 === "warnings" || key0 === "resources")) {
        let err5 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
      }
    if (data.formatVersion !== void 0 && data.formatVersion !== 1) {
      let err6 = { instancePath: instancePath + "/formatVersion", schemaPath: "#/properties/formatVersion/const", keyword: "const", params: { allowedValue: 1 }, message: "must be equal to constant" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    if (data.environment !== void 0 && typeof data.environment != "string") {
      let err7 = { instancePath: instancePath + "/environment", schemaPath: "#/properties/environment/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
    }
    if (data.summary !== void 0 && (validate53(data.summary, { instancePath: instancePath + "/summary", parentData: data, parentDataProperty: "summary", rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors), errors = vErrors.length)), data.warnings !== void 0) {
      let data3 = data.warnings;
      if (Array.isArray(data3)) {
        let len0 = data3.length;
        for (let i0 = 0; i0 < len0; i0++)
          if (typeof data3[i0] != "string") {
            let err8 = { instancePath: instancePath + "/warnings/" + i0, schemaPath: "#/properties/warnings/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
          }
      } else {
        let err9 = { instancePath: instancePath + "/warnings", schemaPath: "#/properties/warnings/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
      }
    }
    if (data.resources !== void 0) {
      let data5 = data.resources;
      if (Array.isArray(data5)) {
        let len1 = data5.length;
        for (let i1 = 0; i1 < len1; i1++)
          validate55(data5[i1], { instancePath: instancePath + "/resources/" + i1, parentData: data5, parentDataProperty: i1, rootData, dynamicAnchors }) || (vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors), errors = vErrors.length);
      } else {
        let err10 = { instancePath: instancePath + "/resources", schemaPath: "#/properties/resources/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
      }
    }
  } else {
    let err11 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
  }
  return validate52.errors = vErrors, errors === 0;
}
validate52.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
export {
  driftFile
};
