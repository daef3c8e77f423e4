/*eslint-disable block-scoped-var, id-length, no-control-regex, no-magic-numbers, no-mixed-operators, no-prototype-builtins, no-redeclare, no-shadow, no-var, sort-vars, default-case, jsdoc/require-param*/
import $protobuf from "protobufjs/minimal.js";

const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

const $root = $protobuf.roots["default"] || ($protobuf.roots["default"] = {});

export const paritas = $root.paritas = (() => {

    const paritas = {};

    paritas.v1 = (function() {

        const v1 = {};

        v1.ChangeEvent = (function() {

            const ChangeEvent = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ChangeEvent.prototype.side = 0;
            ChangeEvent.prototype.kind = 0;
            ChangeEvent.prototype.op = 0;
            ChangeEvent.prototype.commitTimeUs = null;
            ChangeEvent.prototype.position = null;
            ChangeEvent.prototype.totalOrder = null;
            ChangeEvent.prototype.snapshot = false;
            ChangeEvent.prototype.key = $util.newBuffer([]);
            ChangeEvent.prototype.origin = null;
            ChangeEvent.prototype.transaction = null;
            ChangeEvent.prototype.trace = null;
            ChangeEvent.prototype.image = null;
            ChangeEvent.prototype.layout = null;
            ChangeEvent.prototype.linkedKey = null;
            ChangeEvent.prototype.topic = "";
            ChangeEvent.prototype.partition = 0;
            ChangeEvent.prototype.offset = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ChangeEvent.prototype, "_commitTimeUs", {
                get: $util.oneOfGetter($oneOfFields = ["commitTimeUs"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ChangeEvent.prototype, "_position", {
                get: $util.oneOfGetter($oneOfFields = ["position"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ChangeEvent.prototype, "_totalOrder", {
                get: $util.oneOfGetter($oneOfFields = ["totalOrder"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ChangeEvent.prototype, "_origin", {
                get: $util.oneOfGetter($oneOfFields = ["origin"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ChangeEvent.prototype, "_transaction", {
                get: $util.oneOfGetter($oneOfFields = ["transaction"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ChangeEvent.prototype, "_trace", {
                get: $util.oneOfGetter($oneOfFields = ["trace"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ChangeEvent.prototype, "_image", {
                get: $util.oneOfGetter($oneOfFields = ["image"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ChangeEvent.prototype, "_linkedKey", {
                get: $util.oneOfGetter($oneOfFields = ["linkedKey"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            ChangeEvent.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.side != null && $Object.hasOwnProperty.call(message, "side") && message.side !== 0)
                    writer.uint32(8).int32(message.side);
                if (message.kind != null && $Object.hasOwnProperty.call(message, "kind") && message.kind !== 0)
                    writer.uint32(16).int32(message.kind);
                if (message.op != null && $Object.hasOwnProperty.call(message, "op") && message.op !== 0)
                    writer.uint32(24).int32(message.op);
                if (message.commitTimeUs != null && $Object.hasOwnProperty.call(message, "commitTimeUs"))
                    writer.uint32(32).int64(message.commitTimeUs);
                if (message.position != null && $Object.hasOwnProperty.call(message, "position"))
                    writer.uint32(42).bytes(message.position);
                if (message.totalOrder != null && $Object.hasOwnProperty.call(message, "totalOrder"))
                    writer.uint32(48).int64(message.totalOrder);
                if (message.snapshot != null && $Object.hasOwnProperty.call(message, "snapshot") && message.snapshot !== false)
                    writer.uint32(56).bool(message.snapshot);
                if (message.key != null && $Object.hasOwnProperty.call(message, "key") && message.key.length)
                    writer.uint32(66).bytes(message.key);
                if (message.origin != null && $Object.hasOwnProperty.call(message, "origin"))
                    writer.uint32(74).bytes(message.origin);
                if (message.transaction != null && $Object.hasOwnProperty.call(message, "transaction"))
                    writer.uint32(82).bytes(message.transaction);
                if (message.trace != null && $Object.hasOwnProperty.call(message, "trace"))
                    writer.uint32(90).bytes(message.trace);
                if (message.image != null && $Object.hasOwnProperty.call(message, "image"))
                    writer.uint32(98).bytes(message.image);
                if (message.layout != null && $Object.hasOwnProperty.call(message, "layout"))
                    $root.paritas.v1.Layout.encode(message.layout, writer.uint32(106).fork(), _depth + 1).ldelim();
                if (message.linkedKey != null && $Object.hasOwnProperty.call(message, "linkedKey"))
                    writer.uint32(114).bytes(message.linkedKey);
                if (message.topic != null && $Object.hasOwnProperty.call(message, "topic") && message.topic !== "")
                    writer.uint32(122).string(message.topic);
                if (message.partition != null && $Object.hasOwnProperty.call(message, "partition") && message.partition !== 0)
                    writer.uint32(128).int32(message.partition);
                if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && (typeof message.offset === "object" ? message.offset.low || message.offset.high : message.offset !== 0))
                    writer.uint32(136).int64(message.offset);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ChangeEvent.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.ChangeEvent();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.side = value;
                            else
                                delete message.side;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.kind = value;
                            else
                                delete message.kind;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.op = value;
                            else
                                delete message.op;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            message.commitTimeUs = reader.int64();
                            message._commitTimeUs = "commitTimeUs";
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            message.position = reader.bytes();
                            message._position = "position";
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            message.totalOrder = reader.int64();
                            message._totalOrder = "totalOrder";
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.snapshot = value;
                            else
                                delete message.snapshot;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.key = value;
                            else
                                delete message.key;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            message.origin = reader.bytes();
                            message._origin = "origin";
                            continue;
                        }
                    case 10: {
                            if (wireType !== 2)
                                break;
                            message.transaction = reader.bytes();
                            message._transaction = "transaction";
                            continue;
                        }
                    case 11: {
                            if (wireType !== 2)
                                break;
                            message.trace = reader.bytes();
                            message._trace = "trace";
                            continue;
                        }
                    case 12: {
                            if (wireType !== 2)
                                break;
                            message.image = reader.bytes();
                            message._image = "image";
                            continue;
                        }
                    case 13: {
                            if (wireType !== 2)
                                break;
                            message.layout = $root.paritas.v1.Layout.decode(reader, reader.size(), $undefined, _depth + 1, message.layout);
                            continue;
                        }
                    case 14: {
                            if (wireType !== 2)
                                break;
                            message.linkedKey = reader.bytes();
                            message._linkedKey = "linkedKey";
                            continue;
                        }
                    case 15: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.topic = value;
                            else
                                delete message.topic;
                            continue;
                        }
                    case 16: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.partition = value;
                            else
                                delete message.partition;
                            continue;
                        }
                    case 17: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.offset = value;
                            else
                                delete message.offset;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return ChangeEvent;
        })();

        v1.Layout = (function() {

            const Layout = function (properties) {
                this.known = [];
                this.unavailable = [];
                this.placeholders = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Layout.prototype.known = $util.emptyArray;
            Layout.prototype.unavailable = $util.emptyArray;
            Layout.prototype.placeholders = $util.emptyArray;

            Layout.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.known != null && message.known.length)
                    for (let i = 0; i < message.known.length; ++i)
                        writer.uint32(10).string(message.known[i]);
                if (message.unavailable != null && message.unavailable.length)
                    for (let i = 0; i < message.unavailable.length; ++i)
                        writer.uint32(18).string(message.unavailable[i]);
                if (message.placeholders != null && message.placeholders.length)
                    for (let i = 0; i < message.placeholders.length; ++i)
                        writer.uint32(26).string(message.placeholders[i]);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Layout.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.Layout();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if (!(message.known && message.known.length))
                                message.known = [];
                            message.known.push(reader.stringVerify());
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if (!(message.unavailable && message.unavailable.length))
                                message.unavailable = [];
                            message.unavailable.push(reader.stringVerify());
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if (!(message.placeholders && message.placeholders.length))
                                message.placeholders = [];
                            message.placeholders.push(reader.stringVerify());
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Layout;
        })();

        v1.WindowBounds = (function() {

            const WindowBounds = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            WindowBounds.prototype.start = null;
            WindowBounds.prototype.end = null;

            WindowBounds.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.start != null && $Object.hasOwnProperty.call(message, "start"))
                    $root.google.protobuf.Timestamp.encode(message.start, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.end != null && $Object.hasOwnProperty.call(message, "end"))
                    $root.google.protobuf.Timestamp.encode(message.end, writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            WindowBounds.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.WindowBounds();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            message.start = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.start);
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.end = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.end);
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return WindowBounds;
        })();

        v1.KeyColumn = (function() {

            const KeyColumn = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            KeyColumn.prototype.name = "";
            KeyColumn.prototype.value = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(KeyColumn.prototype, "_value", {
                get: $util.oneOfGetter($oneOfFields = ["value"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            KeyColumn.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                    writer.uint32(10).string(message.name);
                if (message.value != null && $Object.hasOwnProperty.call(message, "value"))
                    writer.uint32(18).string(message.value);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            KeyColumn.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.KeyColumn();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.name = value;
                            else
                                delete message.name;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.value = reader.stringVerify();
                            message._value = "value";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return KeyColumn;
        })();

        v1.RowKey = (function() {

            const RowKey = function (properties) {
                this.columns = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            RowKey.prototype.columns = $util.emptyArray;

            RowKey.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.columns != null && message.columns.length)
                    for (let i = 0; i < message.columns.length; ++i)
                        $root.paritas.v1.KeyColumn.encode(message.columns[i], writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            RowKey.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.RowKey();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if (!(message.columns && message.columns.length))
                                message.columns = [];
                            message.columns.push($root.paritas.v1.KeyColumn.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return RowKey;
        })();

        v1.Counts = (function() {

            const Counts = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Counts.prototype.sourceEvents = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.targetEvents = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.matched = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.missing = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.unexpected = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.mismatch = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.duplicate = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.reordered = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.gap = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.lateApplied = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.collapsed = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.elided = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.pending = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.late = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.redelivered = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.deadLettered = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.excluded = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.unknownColumns = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Counts.prototype.openDivergences = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

            Counts.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.sourceEvents != null && $Object.hasOwnProperty.call(message, "sourceEvents") && (typeof message.sourceEvents === "object" ? message.sourceEvents.low || message.sourceEvents.high : message.sourceEvents !== 0))
                    writer.uint32(8).int64(message.sourceEvents);
                if (message.targetEvents != null && $Object.hasOwnProperty.call(message, "targetEvents") && (typeof message.targetEvents === "object" ? message.targetEvents.low || message.targetEvents.high : message.targetEvents !== 0))
                    writer.uint32(16).int64(message.targetEvents);
                if (message.matched != null && $Object.hasOwnProperty.call(message, "matched") && (typeof message.matched === "object" ? message.matched.low || message.matched.high : message.matched !== 0))
                    writer.uint32(24).int64(message.matched);
                if (message.missing != null && $Object.hasOwnProperty.call(message, "missing") && (typeof message.missing === "object" ? message.missing.low || message.missing.high : message.missing !== 0))
                    writer.uint32(32).int64(message.missing);
                if (message.unexpected != null && $Object.hasOwnProperty.call(message, "unexpected") && (typeof message.unexpected === "object" ? message.unexpected.low || message.unexpected.high : message.unexpected !== 0))
                    writer.uint32(40).int64(message.unexpected);
                if (message.mismatch != null && $Object.hasOwnProperty.call(message, "mismatch") && (typeof message.mismatch === "object" ? message.mismatch.low || message.mismatch.high : message.mismatch !== 0))
                    writer.uint32(48).int64(message.mismatch);
                if (message.duplicate != null && $Object.hasOwnProperty.call(message, "duplicate") && (typeof message.duplicate === "object" ? message.duplicate.low || message.duplicate.high : message.duplicate !== 0))
                    writer.uint32(56).int64(message.duplicate);
                if (message.reordered != null && $Object.hasOwnProperty.call(message, "reordered") && (typeof message.reordered === "object" ? message.reordered.low || message.reordered.high : message.reordered !== 0))
                    writer.uint32(64).int64(message.reordered);
                if (message.gap != null && $Object.hasOwnProperty.call(message, "gap") && (typeof message.gap === "object" ? message.gap.low || message.gap.high : message.gap !== 0))
                    writer.uint32(72).int64(message.gap);
                if (message.lateApplied != null && $Object.hasOwnProperty.call(message, "lateApplied") && (typeof message.lateApplied === "object" ? message.lateApplied.low || message.lateApplied.high : message.lateApplied !== 0))
                    writer.uint32(80).int64(message.lateApplied);
                if (message.collapsed != null && $Object.hasOwnProperty.call(message, "collapsed") && (typeof message.collapsed === "object" ? message.collapsed.low || message.collapsed.high : message.collapsed !== 0))
                    writer.uint32(88).int64(message.collapsed);
                if (message.elided != null && $Object.hasOwnProperty.call(message, "elided") && (typeof message.elided === "object" ? message.elided.low || message.elided.high : message.elided !== 0))
                    writer.uint32(96).int64(message.elided);
                if (message.pending != null && $Object.hasOwnProperty.call(message, "pending") && (typeof message.pending === "object" ? message.pending.low || message.pending.high : message.pending !== 0))
                    writer.uint32(104).int64(message.pending);
                if (message.late != null && $Object.hasOwnProperty.call(message, "late") && (typeof message.late === "object" ? message.late.low || message.late.high : message.late !== 0))
                    writer.uint32(112).int64(message.late);
                if (message.redelivered != null && $Object.hasOwnProperty.call(message, "redelivered") && (typeof message.redelivered === "object" ? message.redelivered.low || message.redelivered.high : message.redelivered !== 0))
                    writer.uint32(120).int64(message.redelivered);
                if (message.deadLettered != null && $Object.hasOwnProperty.call(message, "deadLettered") && (typeof message.deadLettered === "object" ? message.deadLettered.low || message.deadLettered.high : message.deadLettered !== 0))
                    writer.uint32(128).int64(message.deadLettered);
                if (message.excluded != null && $Object.hasOwnProperty.call(message, "excluded") && (typeof message.excluded === "object" ? message.excluded.low || message.excluded.high : message.excluded !== 0))
                    writer.uint32(136).int64(message.excluded);
                if (message.unknownColumns != null && $Object.hasOwnProperty.call(message, "unknownColumns") && (typeof message.unknownColumns === "object" ? message.unknownColumns.low || message.unknownColumns.high : message.unknownColumns !== 0))
                    writer.uint32(144).int64(message.unknownColumns);
                if (message.openDivergences != null && $Object.hasOwnProperty.call(message, "openDivergences") && (typeof message.openDivergences === "object" ? message.openDivergences.low || message.openDivergences.high : message.openDivergences !== 0))
                    writer.uint32(152).int64(message.openDivergences);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Counts.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.Counts();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.sourceEvents = value;
                            else
                                delete message.sourceEvents;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.targetEvents = value;
                            else
                                delete message.targetEvents;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.matched = value;
                            else
                                delete message.matched;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.missing = value;
                            else
                                delete message.missing;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.unexpected = value;
                            else
                                delete message.unexpected;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.mismatch = value;
                            else
                                delete message.mismatch;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.duplicate = value;
                            else
                                delete message.duplicate;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.reordered = value;
                            else
                                delete message.reordered;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.gap = value;
                            else
                                delete message.gap;
                            continue;
                        }
                    case 10: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.lateApplied = value;
                            else
                                delete message.lateApplied;
                            continue;
                        }
                    case 11: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.collapsed = value;
                            else
                                delete message.collapsed;
                            continue;
                        }
                    case 12: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.elided = value;
                            else
                                delete message.elided;
                            continue;
                        }
                    case 13: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.pending = value;
                            else
                                delete message.pending;
                            continue;
                        }
                    case 14: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.late = value;
                            else
                                delete message.late;
                            continue;
                        }
                    case 15: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.redelivered = value;
                            else
                                delete message.redelivered;
                            continue;
                        }
                    case 16: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.deadLettered = value;
                            else
                                delete message.deadLettered;
                            continue;
                        }
                    case 17: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.excluded = value;
                            else
                                delete message.excluded;
                            continue;
                        }
                    case 18: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.unknownColumns = value;
                            else
                                delete message.unknownColumns;
                            continue;
                        }
                    case 19: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.openDivergences = value;
                            else
                                delete message.openDivergences;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Counts;
        })();

        v1.DeadLetter = (function() {

            const DeadLetter = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            DeadLetter.prototype.record = "";
            DeadLetter.prototype.pair = "";
            DeadLetter.prototype.side = "";
            DeadLetter.prototype.topic = null;
            DeadLetter.prototype.partition = null;
            DeadLetter.prototype.offset = null;
            DeadLetter.prototype.file = null;
            DeadLetter.prototype.line = null;
            DeadLetter.prototype.reason = "";
            DeadLetter.prototype.detail = "";
            DeadLetter.prototype.valueBase64 = null;
            DeadLetter.prototype.chain = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(DeadLetter.prototype, "_topic", {
                get: $util.oneOfGetter($oneOfFields = ["topic"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(DeadLetter.prototype, "_partition", {
                get: $util.oneOfGetter($oneOfFields = ["partition"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(DeadLetter.prototype, "_offset", {
                get: $util.oneOfGetter($oneOfFields = ["offset"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(DeadLetter.prototype, "_file", {
                get: $util.oneOfGetter($oneOfFields = ["file"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(DeadLetter.prototype, "_line", {
                get: $util.oneOfGetter($oneOfFields = ["line"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(DeadLetter.prototype, "_valueBase64", {
                get: $util.oneOfGetter($oneOfFields = ["valueBase64"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(DeadLetter.prototype, "_chain", {
                get: $util.oneOfGetter($oneOfFields = ["chain"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            DeadLetter.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record !== "")
                    writer.uint32(10).string(message.record);
                if (message.pair != null && $Object.hasOwnProperty.call(message, "pair") && message.pair !== "")
                    writer.uint32(18).string(message.pair);
                if (message.side != null && $Object.hasOwnProperty.call(message, "side") && message.side !== "")
                    writer.uint32(26).string(message.side);
                if (message.topic != null && $Object.hasOwnProperty.call(message, "topic"))
                    writer.uint32(34).string(message.topic);
                if (message.partition != null && $Object.hasOwnProperty.call(message, "partition"))
                    writer.uint32(40).int32(message.partition);
                if (message.offset != null && $Object.hasOwnProperty.call(message, "offset"))
                    writer.uint32(48).int64(message.offset);
                if (message.file != null && $Object.hasOwnProperty.call(message, "file"))
                    writer.uint32(58).string(message.file);
                if (message.line != null && $Object.hasOwnProperty.call(message, "line"))
                    writer.uint32(64).int64(message.line);
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                    writer.uint32(74).string(message.reason);
                if (message.detail != null && $Object.hasOwnProperty.call(message, "detail") && message.detail !== "")
                    writer.uint32(82).string(message.detail);
                if (message.valueBase64 != null && $Object.hasOwnProperty.call(message, "valueBase64"))
                    writer.uint32(90).bytes(message.valueBase64);
                if (message.chain != null && $Object.hasOwnProperty.call(message, "chain"))
                    writer.uint32(96).int32(message.chain);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            DeadLetter.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.DeadLetter();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.record = value;
                            else
                                delete message.record;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.pair = value;
                            else
                                delete message.pair;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.side = value;
                            else
                                delete message.side;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            message.topic = reader.stringVerify();
                            message._topic = "topic";
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            message.partition = reader.int32();
                            message._partition = "partition";
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            message.offset = reader.int64();
                            message._offset = "offset";
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            message.file = reader.stringVerify();
                            message._file = "file";
                            continue;
                        }
                    case 8: {
                            if (wireType !== 0)
                                break;
                            message.line = reader.int64();
                            message._line = "line";
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reason = value;
                            else
                                delete message.reason;
                            continue;
                        }
                    case 10: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.detail = value;
                            else
                                delete message.detail;
                            continue;
                        }
                    case 11: {
                            if (wireType !== 2)
                                break;
                            message.valueBase64 = reader.bytes();
                            message._valueBase64 = "valueBase64";
                            continue;
                        }
                    case 12: {
                            if (wireType !== 0)
                                break;
                            message.chain = reader.int32();
                            message._chain = "chain";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return DeadLetter;
        })();

        v1.Decision = (function() {

            const Decision = function (properties) {
                this.frontiers = [];
                this.claims = [];
                this.overrides = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Decision.prototype.record = "";
            Decision.prototype.decisionId = "";
            Decision.prototype.pair = "";
            Decision.prototype.closeUpTo = null;
            Decision.prototype.frontiers = $util.emptyArray;
            Decision.prototype.claims = $util.emptyArray;
            Decision.prototype.overrides = $util.emptyArray;
            Decision.prototype.takenAt = null;
            Decision.prototype.chain = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Decision.prototype, "_chain", {
                get: $util.oneOfGetter($oneOfFields = ["chain"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            Decision.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record !== "")
                    writer.uint32(10).string(message.record);
                if (message.decisionId != null && $Object.hasOwnProperty.call(message, "decisionId") && message.decisionId !== "")
                    writer.uint32(18).string(message.decisionId);
                if (message.pair != null && $Object.hasOwnProperty.call(message, "pair") && message.pair !== "")
                    writer.uint32(26).string(message.pair);
                if (message.closeUpTo != null && $Object.hasOwnProperty.call(message, "closeUpTo"))
                    $root.google.protobuf.Timestamp.encode(message.closeUpTo, writer.uint32(34).fork(), _depth + 1).ldelim();
                if (message.frontiers != null && message.frontiers.length)
                    for (let i = 0; i < message.frontiers.length; ++i)
                        $root.paritas.v1.Frontier.encode(message.frontiers[i], writer.uint32(42).fork(), _depth + 1).ldelim();
                if (message.claims != null && message.claims.length)
                    for (let i = 0; i < message.claims.length; ++i)
                        $root.paritas.v1.Claim.encode(message.claims[i], writer.uint32(50).fork(), _depth + 1).ldelim();
                if (message.overrides != null && message.overrides.length)
                    for (let i = 0; i < message.overrides.length; ++i)
                        writer.uint32(58).string(message.overrides[i]);
                if (message.takenAt != null && $Object.hasOwnProperty.call(message, "takenAt"))
                    $root.google.protobuf.Timestamp.encode(message.takenAt, writer.uint32(66).fork(), _depth + 1).ldelim();
                if (message.chain != null && $Object.hasOwnProperty.call(message, "chain"))
                    writer.uint32(72).int32(message.chain);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Decision.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.Decision();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.record = value;
                            else
                                delete message.record;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.decisionId = value;
                            else
                                delete message.decisionId;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.pair = value;
                            else
                                delete message.pair;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            message.closeUpTo = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.closeUpTo);
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if (!(message.frontiers && message.frontiers.length))
                                message.frontiers = [];
                            message.frontiers.push($root.paritas.v1.Frontier.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if (!(message.claims && message.claims.length))
                                message.claims = [];
                            message.claims.push($root.paritas.v1.Claim.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            if (!(message.overrides && message.overrides.length))
                                message.overrides = [];
                            message.overrides.push(reader.stringVerify());
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            message.takenAt = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.takenAt);
                            continue;
                        }
                    case 9: {
                            if (wireType !== 0)
                                break;
                            message.chain = reader.int32();
                            message._chain = "chain";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Decision;
        })();

        v1.Frontier = (function() {

            const Frontier = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Frontier.prototype.side = "";
            Frontier.prototype.topic = "";
            Frontier.prototype.partition = 0;
            Frontier.prototype.fromOffset = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Frontier.prototype.offset = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

            Frontier.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.side != null && $Object.hasOwnProperty.call(message, "side") && message.side !== "")
                    writer.uint32(10).string(message.side);
                if (message.topic != null && $Object.hasOwnProperty.call(message, "topic") && message.topic !== "")
                    writer.uint32(18).string(message.topic);
                if (message.partition != null && $Object.hasOwnProperty.call(message, "partition") && message.partition !== 0)
                    writer.uint32(24).int32(message.partition);
                if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && (typeof message.offset === "object" ? message.offset.low || message.offset.high : message.offset !== 0))
                    writer.uint32(32).int64(message.offset);
                if (message.fromOffset != null && $Object.hasOwnProperty.call(message, "fromOffset") && (typeof message.fromOffset === "object" ? message.fromOffset.low || message.fromOffset.high : message.fromOffset !== 0))
                    writer.uint32(40).int64(message.fromOffset);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Frontier.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.Frontier();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.side = value;
                            else
                                delete message.side;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.topic = value;
                            else
                                delete message.topic;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.partition = value;
                            else
                                delete message.partition;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.fromOffset = value;
                            else
                                delete message.fromOffset;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.offset = value;
                            else
                                delete message.offset;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Frontier;
        })();

        v1.Claim = (function() {

            const Claim = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Claim.prototype.side = "";
            Claim.prototype.topic = "";
            Claim.prototype.partition = 0;
            Claim.prototype.watermark = null;
            Claim.prototype.tier = "";

            Claim.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.side != null && $Object.hasOwnProperty.call(message, "side") && message.side !== "")
                    writer.uint32(10).string(message.side);
                if (message.topic != null && $Object.hasOwnProperty.call(message, "topic") && message.topic !== "")
                    writer.uint32(18).string(message.topic);
                if (message.partition != null && $Object.hasOwnProperty.call(message, "partition") && message.partition !== 0)
                    writer.uint32(24).int32(message.partition);
                if (message.watermark != null && $Object.hasOwnProperty.call(message, "watermark"))
                    $root.google.protobuf.Timestamp.encode(message.watermark, writer.uint32(34).fork(), _depth + 1).ldelim();
                if (message.tier != null && $Object.hasOwnProperty.call(message, "tier") && message.tier !== "")
                    writer.uint32(42).string(message.tier);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Claim.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.Claim();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.side = value;
                            else
                                delete message.side;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.topic = value;
                            else
                                delete message.topic;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.partition = value;
                            else
                                delete message.partition;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            message.watermark = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.watermark);
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.tier = value;
                            else
                                delete message.tier;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Claim;
        })();

        v1.Manifest = (function() {

            const Manifest = function (properties) {
                this.key = [];
                this.linkedKey = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Manifest.prototype.record = "";
            Manifest.prototype.manifestId = "";
            Manifest.prototype.verdictId = "";
            Manifest.prototype.pair = "";
            Manifest.prototype.window = null;
            Manifest.prototype["class"] = "";
            Manifest.prototype.key = $util.emptyArray;
            Manifest.prototype.source = null;
            Manifest.prototype.target = null;
            Manifest.prototype.columns = null;
            Manifest.prototype.hint = null;
            Manifest.prototype.attribution = "";
            Manifest.prototype.remedy = "";
            Manifest.prototype.severity = "";
            Manifest.prototype.firstSeen = null;
            Manifest.prototype.traceparent = null;
            Manifest.prototype.detail = null;
            Manifest.prototype.linkedKey = $util.emptyArray;
            Manifest.prototype.chain = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Manifest.prototype, "_hint", {
                get: $util.oneOfGetter($oneOfFields = ["hint"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Manifest.prototype, "_traceparent", {
                get: $util.oneOfGetter($oneOfFields = ["traceparent"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Manifest.prototype, "_detail", {
                get: $util.oneOfGetter($oneOfFields = ["detail"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Manifest.prototype, "_chain", {
                get: $util.oneOfGetter($oneOfFields = ["chain"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            Manifest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record !== "")
                    writer.uint32(10).string(message.record);
                if (message.manifestId != null && $Object.hasOwnProperty.call(message, "manifestId") && message.manifestId !== "")
                    writer.uint32(18).string(message.manifestId);
                if (message.verdictId != null && $Object.hasOwnProperty.call(message, "verdictId") && message.verdictId !== "")
                    writer.uint32(26).string(message.verdictId);
                if (message.pair != null && $Object.hasOwnProperty.call(message, "pair") && message.pair !== "")
                    writer.uint32(34).string(message.pair);
                if (message.window != null && $Object.hasOwnProperty.call(message, "window"))
                    $root.paritas.v1.WindowBounds.encode(message.window, writer.uint32(42).fork(), _depth + 1).ldelim();
                if (message["class"] != null && $Object.hasOwnProperty.call(message, "class") && message["class"] !== "")
                    writer.uint32(50).string(message["class"]);
                if (message.key != null && message.key.length)
                    for (let i = 0; i < message.key.length; ++i)
                        $root.paritas.v1.KeyColumn.encode(message.key[i], writer.uint32(58).fork(), _depth + 1).ldelim();
                if (message.source != null && $Object.hasOwnProperty.call(message, "source"))
                    $root.paritas.v1.ManifestSide.encode(message.source, writer.uint32(66).fork(), _depth + 1).ldelim();
                if (message.target != null && $Object.hasOwnProperty.call(message, "target"))
                    $root.paritas.v1.ManifestSide.encode(message.target, writer.uint32(74).fork(), _depth + 1).ldelim();
                if (message.columns != null && $Object.hasOwnProperty.call(message, "columns"))
                    $root.paritas.v1.ColumnDifferences.encode(message.columns, writer.uint32(82).fork(), _depth + 1).ldelim();
                if (message.hint != null && $Object.hasOwnProperty.call(message, "hint"))
                    writer.uint32(90).string(message.hint);
                if (message.attribution != null && $Object.hasOwnProperty.call(message, "attribution") && message.attribution !== "")
                    writer.uint32(98).string(message.attribution);
                if (message.remedy != null && $Object.hasOwnProperty.call(message, "remedy") && message.remedy !== "")
                    writer.uint32(106).string(message.remedy);
                if (message.severity != null && $Object.hasOwnProperty.call(message, "severity") && message.severity !== "")
                    writer.uint32(114).string(message.severity);
                if (message.firstSeen != null && $Object.hasOwnProperty.call(message, "firstSeen"))
                    $root.google.protobuf.Timestamp.encode(message.firstSeen, writer.uint32(122).fork(), _depth + 1).ldelim();
                if (message.traceparent != null && $Object.hasOwnProperty.call(message, "traceparent"))
                    writer.uint32(130).string(message.traceparent);
                if (message.detail != null && $Object.hasOwnProperty.call(message, "detail"))
                    writer.uint32(138).string(message.detail);
                if (message.linkedKey != null && message.linkedKey.length)
                    for (let i = 0; i < message.linkedKey.length; ++i)
                        $root.paritas.v1.KeyColumn.encode(message.linkedKey[i], writer.uint32(146).fork(), _depth + 1).ldelim();
                if (message.chain != null && $Object.hasOwnProperty.call(message, "chain"))
                    writer.uint32(152).int32(message.chain);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Manifest.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.Manifest();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.record = value;
                            else
                                delete message.record;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.manifestId = value;
                            else
                                delete message.manifestId;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.verdictId = value;
                            else
                                delete message.verdictId;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.pair = value;
                            else
                                delete message.pair;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            message.window = $root.paritas.v1.WindowBounds.decode(reader, reader.size(), $undefined, _depth + 1, message.window);
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message["class"] = value;
                            else
                                delete message["class"];
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            if (!(message.key && message.key.length))
                                message.key = [];
                            message.key.push($root.paritas.v1.KeyColumn.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            message.source = $root.paritas.v1.ManifestSide.decode(reader, reader.size(), $undefined, _depth + 1, message.source);
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            message.target = $root.paritas.v1.ManifestSide.decode(reader, reader.size(), $undefined, _depth + 1, message.target);
                            continue;
                        }
                    case 10: {
                            if (wireType !== 2)
                                break;
                            message.columns = $root.paritas.v1.ColumnDifferences.decode(reader, reader.size(), $undefined, _depth + 1, message.columns);
                            continue;
                        }
                    case 11: {
                            if (wireType !== 2)
                                break;
                            message.hint = reader.stringVerify();
                            message._hint = "hint";
                            continue;
                        }
                    case 12: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.attribution = value;
                            else
                                delete message.attribution;
                            continue;
                        }
                    case 13: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.remedy = value;
                            else
                                delete message.remedy;
                            continue;
                        }
                    case 14: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.severity = value;
                            else
                                delete message.severity;
                            continue;
                        }
                    case 15: {
                            if (wireType !== 2)
                                break;
                            message.firstSeen = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.firstSeen);
                            continue;
                        }
                    case 16: {
                            if (wireType !== 2)
                                break;
                            message.traceparent = reader.stringVerify();
                            message._traceparent = "traceparent";
                            continue;
                        }
                    case 17: {
                            if (wireType !== 2)
                                break;
                            message.detail = reader.stringVerify();
                            message._detail = "detail";
                            continue;
                        }
                    case 18: {
                            if (wireType !== 2)
                                break;
                            if (!(message.linkedKey && message.linkedKey.length))
                                message.linkedKey = [];
                            message.linkedKey.push($root.paritas.v1.KeyColumn.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 19: {
                            if (wireType !== 0)
                                break;
                            message.chain = reader.int32();
                            message._chain = "chain";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Manifest;
        })();

        v1.ManifestSide = (function() {

            const ManifestSide = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ManifestSide.prototype.op = "";
            ManifestSide.prototype.position = null;
            ManifestSide.prototype.origin = null;
            ManifestSide.prototype.commitTime = null;
            ManifestSide.prototype.topic = "";
            ManifestSide.prototype.partition = 0;
            ManifestSide.prototype.offset = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            ManifestSide.prototype.transaction = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ManifestSide.prototype, "_position", {
                get: $util.oneOfGetter($oneOfFields = ["position"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ManifestSide.prototype, "_origin", {
                get: $util.oneOfGetter($oneOfFields = ["origin"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ManifestSide.prototype, "_transaction", {
                get: $util.oneOfGetter($oneOfFields = ["transaction"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            ManifestSide.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.op != null && $Object.hasOwnProperty.call(message, "op") && message.op !== "")
                    writer.uint32(10).string(message.op);
                if (message.position != null && $Object.hasOwnProperty.call(message, "position"))
                    writer.uint32(18).string(message.position);
                if (message.origin != null && $Object.hasOwnProperty.call(message, "origin"))
                    writer.uint32(26).string(message.origin);
                if (message.commitTime != null && $Object.hasOwnProperty.call(message, "commitTime"))
                    $root.google.protobuf.Timestamp.encode(message.commitTime, writer.uint32(34).fork(), _depth + 1).ldelim();
                if (message.topic != null && $Object.hasOwnProperty.call(message, "topic") && message.topic !== "")
                    writer.uint32(42).string(message.topic);
                if (message.partition != null && $Object.hasOwnProperty.call(message, "partition") && message.partition !== 0)
                    writer.uint32(48).int32(message.partition);
                if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && (typeof message.offset === "object" ? message.offset.low || message.offset.high : message.offset !== 0))
                    writer.uint32(56).int64(message.offset);
                if (message.transaction != null && $Object.hasOwnProperty.call(message, "transaction"))
                    writer.uint32(66).string(message.transaction);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ManifestSide.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.ManifestSide();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.op = value;
                            else
                                delete message.op;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.position = reader.stringVerify();
                            message._position = "position";
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            message.origin = reader.stringVerify();
                            message._origin = "origin";
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            message.commitTime = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.commitTime);
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.topic = value;
                            else
                                delete message.topic;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.partition = value;
                            else
                                delete message.partition;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.offset = value;
                            else
                                delete message.offset;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            message.transaction = reader.stringVerify();
                            message._transaction = "transaction";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return ManifestSide;
        })();

        v1.ColumnDifferences = (function() {

            const ColumnDifferences = function (properties) {
                this.columns = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ColumnDifferences.prototype.columns = $util.emptyArray;

            ColumnDifferences.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.columns != null && message.columns.length)
                    for (let i = 0; i < message.columns.length; ++i)
                        $root.paritas.v1.ColumnDifference.encode(message.columns[i], writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ColumnDifferences.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.ColumnDifferences();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if (!(message.columns && message.columns.length))
                                message.columns = [];
                            message.columns.push($root.paritas.v1.ColumnDifference.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return ColumnDifferences;
        })();

        v1.ColumnDifference = (function() {

            const ColumnDifference = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ColumnDifference.prototype.name = "";
            ColumnDifference.prototype.source = null;
            ColumnDifference.prototype.target = null;
            ColumnDifference.prototype.hint = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(ColumnDifference.prototype, "_hint", {
                get: $util.oneOfGetter($oneOfFields = ["hint"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            ColumnDifference.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                    writer.uint32(10).string(message.name);
                if (message.source != null && $Object.hasOwnProperty.call(message, "source"))
                    $root.paritas.v1.ColumnValue.encode(message.source, writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.target != null && $Object.hasOwnProperty.call(message, "target"))
                    $root.paritas.v1.ColumnValue.encode(message.target, writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.hint != null && $Object.hasOwnProperty.call(message, "hint"))
                    writer.uint32(34).string(message.hint);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ColumnDifference.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.ColumnDifference();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.name = value;
                            else
                                delete message.name;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.source = $root.paritas.v1.ColumnValue.decode(reader, reader.size(), $undefined, _depth + 1, message.source);
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            message.target = $root.paritas.v1.ColumnValue.decode(reader, reader.size(), $undefined, _depth + 1, message.target);
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            message.hint = reader.stringVerify();
                            message._hint = "hint";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return ColumnDifference;
        })();

        v1.ColumnValue = (function() {

            const ColumnValue = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            ColumnValue.prototype.text = null;
            ColumnValue.prototype["null"] = null;
            ColumnValue.prototype.unavailable = null;
            ColumnValue.prototype.absent = null;

            let $oneOfFields;

            $Object.defineProperty(ColumnValue.prototype, "value", {
                get: $util.oneOfGetter($oneOfFields = ["text", "null", "unavailable", "absent"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            ColumnValue.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.text != null && $Object.hasOwnProperty.call(message, "text"))
                    writer.uint32(10).string(message.text);
                if (message["null"] != null && $Object.hasOwnProperty.call(message, "null"))
                    writer.uint32(16).bool(message["null"]);
                if (message.unavailable != null && $Object.hasOwnProperty.call(message, "unavailable"))
                    writer.uint32(24).bool(message.unavailable);
                if (message.absent != null && $Object.hasOwnProperty.call(message, "absent"))
                    writer.uint32(32).bool(message.absent);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            ColumnValue.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.ColumnValue();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            message.text = reader.stringVerify();
                            message.value = "text";
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            message["null"] = reader.bool();
                            message.value = "null";
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            message.unavailable = reader.bool();
                            message.value = "unavailable";
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            message.absent = reader.bool();
                            message.value = "absent";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return ColumnValue;
        })();

        v1.Resolved = (function() {

            const Resolved = function (properties) {
                this.key = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Resolved.prototype.record = "";
            Resolved.prototype.pair = "";
            Resolved.prototype.key = $util.emptyArray;
            Resolved.prototype.window = null;
            Resolved.prototype.manifestId = null;
            Resolved.prototype.chain = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Resolved.prototype, "_manifestId", {
                get: $util.oneOfGetter($oneOfFields = ["manifestId"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Resolved.prototype, "_chain", {
                get: $util.oneOfGetter($oneOfFields = ["chain"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            Resolved.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record !== "")
                    writer.uint32(10).string(message.record);
                if (message.pair != null && $Object.hasOwnProperty.call(message, "pair") && message.pair !== "")
                    writer.uint32(18).string(message.pair);
                if (message.key != null && message.key.length)
                    for (let i = 0; i < message.key.length; ++i)
                        $root.paritas.v1.KeyColumn.encode(message.key[i], writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.window != null && $Object.hasOwnProperty.call(message, "window"))
                    $root.paritas.v1.WindowBounds.encode(message.window, writer.uint32(34).fork(), _depth + 1).ldelim();
                if (message.manifestId != null && $Object.hasOwnProperty.call(message, "manifestId"))
                    writer.uint32(42).string(message.manifestId);
                if (message.chain != null && $Object.hasOwnProperty.call(message, "chain"))
                    writer.uint32(48).int32(message.chain);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Resolved.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.Resolved();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.record = value;
                            else
                                delete message.record;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.pair = value;
                            else
                                delete message.pair;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if (!(message.key && message.key.length))
                                message.key = [];
                            message.key.push($root.paritas.v1.KeyColumn.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            message.window = $root.paritas.v1.WindowBounds.decode(reader, reader.size(), $undefined, _depth + 1, message.window);
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            message.manifestId = reader.stringVerify();
                            message._manifestId = "manifestId";
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            message.chain = reader.int32();
                            message._chain = "chain";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Resolved;
        })();

        v1.Schema = (function() {

            const Schema = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Schema.prototype.record = "";
            Schema.prototype.pair = "";
            Schema.prototype.side = "";
            Schema.prototype.column = "";
            Schema.prototype.window = null;
            Schema.prototype.detail = "";
            Schema.prototype.chain = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Schema.prototype, "_chain", {
                get: $util.oneOfGetter($oneOfFields = ["chain"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            Schema.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record !== "")
                    writer.uint32(10).string(message.record);
                if (message.pair != null && $Object.hasOwnProperty.call(message, "pair") && message.pair !== "")
                    writer.uint32(18).string(message.pair);
                if (message.side != null && $Object.hasOwnProperty.call(message, "side") && message.side !== "")
                    writer.uint32(26).string(message.side);
                if (message.column != null && $Object.hasOwnProperty.call(message, "column") && message.column !== "")
                    writer.uint32(34).string(message.column);
                if (message.window != null && $Object.hasOwnProperty.call(message, "window"))
                    $root.paritas.v1.WindowBounds.encode(message.window, writer.uint32(42).fork(), _depth + 1).ldelim();
                if (message.detail != null && $Object.hasOwnProperty.call(message, "detail") && message.detail !== "")
                    writer.uint32(50).string(message.detail);
                if (message.chain != null && $Object.hasOwnProperty.call(message, "chain"))
                    writer.uint32(56).int32(message.chain);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Schema.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.Schema();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.record = value;
                            else
                                delete message.record;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.pair = value;
                            else
                                delete message.pair;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.side = value;
                            else
                                delete message.side;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.column = value;
                            else
                                delete message.column;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            message.window = $root.paritas.v1.WindowBounds.decode(reader, reader.size(), $undefined, _depth + 1, message.window);
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.detail = value;
                            else
                                delete message.detail;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            message.chain = reader.int32();
                            message._chain = "chain";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Schema;
        })();

        v1.Status = (function() {

            const Status = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Status.prototype.record = "";
            Status.prototype.pair = "";
            Status.prototype.side = "";
            Status.prototype.topic = "";
            Status.prototype.partition = 0;
            Status.prototype.watermark = null;
            Status.prototype.lagMs = null;
            Status.prototype.stalled = false;
            Status.prototype.reason = "";
            Status.prototype.since = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Status.prototype, "_lagMs", {
                get: $util.oneOfGetter($oneOfFields = ["lagMs"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Status.prototype, "_since", {
                get: $util.oneOfGetter($oneOfFields = ["since"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            Status.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record !== "")
                    writer.uint32(10).string(message.record);
                if (message.pair != null && $Object.hasOwnProperty.call(message, "pair") && message.pair !== "")
                    writer.uint32(18).string(message.pair);
                if (message.side != null && $Object.hasOwnProperty.call(message, "side") && message.side !== "")
                    writer.uint32(26).string(message.side);
                if (message.topic != null && $Object.hasOwnProperty.call(message, "topic") && message.topic !== "")
                    writer.uint32(34).string(message.topic);
                if (message.partition != null && $Object.hasOwnProperty.call(message, "partition") && message.partition !== 0)
                    writer.uint32(40).int32(message.partition);
                if (message.watermark != null && $Object.hasOwnProperty.call(message, "watermark"))
                    $root.google.protobuf.Timestamp.encode(message.watermark, writer.uint32(50).fork(), _depth + 1).ldelim();
                if (message.lagMs != null && $Object.hasOwnProperty.call(message, "lagMs"))
                    writer.uint32(56).int64(message.lagMs);
                if (message.stalled != null && $Object.hasOwnProperty.call(message, "stalled") && message.stalled !== false)
                    writer.uint32(64).bool(message.stalled);
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                    writer.uint32(74).string(message.reason);
                if (message.since != null && $Object.hasOwnProperty.call(message, "since"))
                    $root.google.protobuf.Timestamp.encode(message.since, writer.uint32(82).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Status.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.Status();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.record = value;
                            else
                                delete message.record;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.pair = value;
                            else
                                delete message.pair;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.side = value;
                            else
                                delete message.side;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.topic = value;
                            else
                                delete message.topic;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.partition = value;
                            else
                                delete message.partition;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            message.watermark = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.watermark);
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            message.lagMs = reader.int64();
                            message._lagMs = "lagMs";
                            continue;
                        }
                    case 8: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.stalled = value;
                            else
                                delete message.stalled;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reason = value;
                            else
                                delete message.reason;
                            continue;
                        }
                    case 10: {
                            if (wireType !== 2)
                                break;
                            message.since = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.since);
                            message._since = "since";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Status;
        })();

        v1.Task = (function() {

            const Task = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Task.prototype.record = "";
            Task.prototype.pair = "";
            Task.prototype.task = "";
            Task.prototype.state = "";
            Task.prototype.owner = "";
            Task.prototype.since = null;
            Task.prototype.at = null;
            Task.prototype.restoring = null;
            Task.prototype.recordsRead = null;
            Task.prototype.openWindows = null;
            Task.prototype.eventsBuffered = null;
            Task.prototype.openDivergences = null;
            Task.prototype.chain = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Task.prototype, "_since", {
                get: $util.oneOfGetter($oneOfFields = ["since"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Task.prototype, "_at", {
                get: $util.oneOfGetter($oneOfFields = ["at"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Task.prototype, "_restoring", {
                get: $util.oneOfGetter($oneOfFields = ["restoring"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Task.prototype, "_recordsRead", {
                get: $util.oneOfGetter($oneOfFields = ["recordsRead"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Task.prototype, "_openWindows", {
                get: $util.oneOfGetter($oneOfFields = ["openWindows"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Task.prototype, "_eventsBuffered", {
                get: $util.oneOfGetter($oneOfFields = ["eventsBuffered"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Task.prototype, "_openDivergences", {
                get: $util.oneOfGetter($oneOfFields = ["openDivergences"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Task.prototype, "_chain", {
                get: $util.oneOfGetter($oneOfFields = ["chain"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            Task.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record !== "")
                    writer.uint32(10).string(message.record);
                if (message.pair != null && $Object.hasOwnProperty.call(message, "pair") && message.pair !== "")
                    writer.uint32(18).string(message.pair);
                if (message.task != null && $Object.hasOwnProperty.call(message, "task") && message.task !== "")
                    writer.uint32(26).string(message.task);
                if (message.state != null && $Object.hasOwnProperty.call(message, "state") && message.state !== "")
                    writer.uint32(34).string(message.state);
                if (message.owner != null && $Object.hasOwnProperty.call(message, "owner") && message.owner !== "")
                    writer.uint32(42).string(message.owner);
                if (message.since != null && $Object.hasOwnProperty.call(message, "since"))
                    $root.google.protobuf.Timestamp.encode(message.since, writer.uint32(50).fork(), _depth + 1).ldelim();
                if (message.at != null && $Object.hasOwnProperty.call(message, "at"))
                    $root.google.protobuf.Timestamp.encode(message.at, writer.uint32(58).fork(), _depth + 1).ldelim();
                if (message.restoring != null && $Object.hasOwnProperty.call(message, "restoring"))
                    $root.paritas.v1.Restoring.encode(message.restoring, writer.uint32(66).fork(), _depth + 1).ldelim();
                if (message.recordsRead != null && $Object.hasOwnProperty.call(message, "recordsRead"))
                    writer.uint32(72).int64(message.recordsRead);
                if (message.openWindows != null && $Object.hasOwnProperty.call(message, "openWindows"))
                    writer.uint32(80).int64(message.openWindows);
                if (message.eventsBuffered != null && $Object.hasOwnProperty.call(message, "eventsBuffered"))
                    writer.uint32(88).int64(message.eventsBuffered);
                if (message.openDivergences != null && $Object.hasOwnProperty.call(message, "openDivergences"))
                    writer.uint32(96).int64(message.openDivergences);
                if (message.chain != null && $Object.hasOwnProperty.call(message, "chain"))
                    writer.uint32(104).int32(message.chain);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Task.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.Task();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.record = value;
                            else
                                delete message.record;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.pair = value;
                            else
                                delete message.pair;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.task = value;
                            else
                                delete message.task;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.state = value;
                            else
                                delete message.state;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.owner = value;
                            else
                                delete message.owner;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            message.since = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.since);
                            message._since = "since";
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            message.at = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.at);
                            message._at = "at";
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            message.restoring = $root.paritas.v1.Restoring.decode(reader, reader.size(), $undefined, _depth + 1, message.restoring);
                            message._restoring = "restoring";
                            continue;
                        }
                    case 9: {
                            if (wireType !== 0)
                                break;
                            message.recordsRead = reader.int64();
                            message._recordsRead = "recordsRead";
                            continue;
                        }
                    case 10: {
                            if (wireType !== 0)
                                break;
                            message.openWindows = reader.int64();
                            message._openWindows = "openWindows";
                            continue;
                        }
                    case 11: {
                            if (wireType !== 0)
                                break;
                            message.eventsBuffered = reader.int64();
                            message._eventsBuffered = "eventsBuffered";
                            continue;
                        }
                    case 12: {
                            if (wireType !== 0)
                                break;
                            message.openDivergences = reader.int64();
                            message._openDivergences = "openDivergences";
                            continue;
                        }
                    case 13: {
                            if (wireType !== 0)
                                break;
                            message.chain = reader.int32();
                            message._chain = "chain";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Task;
        })();

        v1.Restoring = (function() {

            const Restoring = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Restoring.prototype.done = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Restoring.prototype.total = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Restoring.prototype.recordsPerSecond = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Restoring.prototype.remainingMs = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

            Restoring.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.done != null && $Object.hasOwnProperty.call(message, "done") && (typeof message.done === "object" ? message.done.low || message.done.high : message.done !== 0))
                    writer.uint32(8).int64(message.done);
                if (message.total != null && $Object.hasOwnProperty.call(message, "total") && (typeof message.total === "object" ? message.total.low || message.total.high : message.total !== 0))
                    writer.uint32(16).int64(message.total);
                if (message.recordsPerSecond != null && $Object.hasOwnProperty.call(message, "recordsPerSecond") && (typeof message.recordsPerSecond === "object" ? message.recordsPerSecond.low || message.recordsPerSecond.high : message.recordsPerSecond !== 0))
                    writer.uint32(24).int64(message.recordsPerSecond);
                if (message.remainingMs != null && $Object.hasOwnProperty.call(message, "remainingMs") && (typeof message.remainingMs === "object" ? message.remainingMs.low || message.remainingMs.high : message.remainingMs !== 0))
                    writer.uint32(32).int64(message.remainingMs);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Restoring.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.Restoring();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.done = value;
                            else
                                delete message.done;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.total = value;
                            else
                                delete message.total;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.recordsPerSecond = value;
                            else
                                delete message.recordsPerSecond;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.remainingMs = value;
                            else
                                delete message.remainingMs;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Restoring;
        })();

        v1.StoreChangelog = (function() {

            const StoreChangelog = function (properties) {
                this.changes = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            StoreChangelog.prototype.format = 0;
            StoreChangelog.prototype.changes = $util.emptyArray;

            StoreChangelog.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.format != null && $Object.hasOwnProperty.call(message, "format") && message.format !== 0)
                    writer.uint32(8).int32(message.format);
                if (message.changes != null && message.changes.length)
                    for (let i = 0; i < message.changes.length; ++i)
                        $root.paritas.v1.StoreChange.encode(message.changes[i], writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            StoreChangelog.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.StoreChangelog();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.format = value;
                            else
                                delete message.format;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if (!(message.changes && message.changes.length))
                                message.changes = [];
                            message.changes.push($root.paritas.v1.StoreChange.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return StoreChangelog;
        })();

        v1.StoreChange = (function() {

            const StoreChange = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            StoreChange.prototype.family = "";
            StoreChange.prototype.key = $util.newBuffer([]);
            StoreChange.prototype.value = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(StoreChange.prototype, "_value", {
                get: $util.oneOfGetter($oneOfFields = ["value"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            StoreChange.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.family != null && $Object.hasOwnProperty.call(message, "family") && message.family !== "")
                    writer.uint32(10).string(message.family);
                if (message.key != null && $Object.hasOwnProperty.call(message, "key") && message.key.length)
                    writer.uint32(18).bytes(message.key);
                if (message.value != null && $Object.hasOwnProperty.call(message, "value"))
                    writer.uint32(26).bytes(message.value);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            StoreChange.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.StoreChange();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.family = value;
                            else
                                delete message.family;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.key = value;
                            else
                                delete message.key;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            message.value = reader.bytes();
                            message._value = "value";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return StoreChange;
        })();

        v1.Verdict = (function() {

            const Verdict = function (properties) {
                this.notObservable = [];
                this.evidence = [];
                this.torn = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Verdict.prototype.record = "";
            Verdict.prototype.verdictId = "";
            Verdict.prototype.pair = "";
            Verdict.prototype.window = null;
            Verdict.prototype.status = "";
            Verdict.prototype.change = "";
            Verdict.prototype.state = "";
            Verdict.prototype.confidence = "";
            Verdict.prototype.attribution = "";
            Verdict.prototype.policy = "";
            Verdict.prototype.notObservable = $util.emptyArray;
            Verdict.prototype.counts = null;
            Verdict.prototype.detailCut = null;
            Verdict.prototype.watermarks = null;
            Verdict.prototype.evidence = $util.emptyArray;
            Verdict.prototype.digests = null;
            Verdict.prototype.decisionId = "";
            Verdict.prototype.configHash = "";
            Verdict.prototype.previousVerdictHash = "";
            Verdict.prototype.coreHash = "";
            Verdict.prototype.evidenceHash = "";
            Verdict.prototype.traceparent = null;
            Verdict.prototype.torn = $util.emptyArray;
            Verdict.prototype.tornCut = null;
            Verdict.prototype.chain = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Verdict.prototype, "_detailCut", {
                get: $util.oneOfGetter($oneOfFields = ["detailCut"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Verdict.prototype, "_traceparent", {
                get: $util.oneOfGetter($oneOfFields = ["traceparent"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Verdict.prototype, "_tornCut", {
                get: $util.oneOfGetter($oneOfFields = ["tornCut"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Verdict.prototype, "_chain", {
                get: $util.oneOfGetter($oneOfFields = ["chain"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            Verdict.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record !== "")
                    writer.uint32(10).string(message.record);
                if (message.verdictId != null && $Object.hasOwnProperty.call(message, "verdictId") && message.verdictId !== "")
                    writer.uint32(18).string(message.verdictId);
                if (message.pair != null && $Object.hasOwnProperty.call(message, "pair") && message.pair !== "")
                    writer.uint32(26).string(message.pair);
                if (message.window != null && $Object.hasOwnProperty.call(message, "window"))
                    $root.paritas.v1.WindowBounds.encode(message.window, writer.uint32(34).fork(), _depth + 1).ldelim();
                if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== "")
                    writer.uint32(42).string(message.status);
                if (message.change != null && $Object.hasOwnProperty.call(message, "change") && message.change !== "")
                    writer.uint32(50).string(message.change);
                if (message.state != null && $Object.hasOwnProperty.call(message, "state") && message.state !== "")
                    writer.uint32(58).string(message.state);
                if (message.confidence != null && $Object.hasOwnProperty.call(message, "confidence") && message.confidence !== "")
                    writer.uint32(66).string(message.confidence);
                if (message.attribution != null && $Object.hasOwnProperty.call(message, "attribution") && message.attribution !== "")
                    writer.uint32(74).string(message.attribution);
                if (message.policy != null && $Object.hasOwnProperty.call(message, "policy") && message.policy !== "")
                    writer.uint32(82).string(message.policy);
                if (message.notObservable != null && message.notObservable.length)
                    for (let i = 0; i < message.notObservable.length; ++i)
                        writer.uint32(90).string(message.notObservable[i]);
                if (message.counts != null && $Object.hasOwnProperty.call(message, "counts"))
                    $root.paritas.v1.Counts.encode(message.counts, writer.uint32(98).fork(), _depth + 1).ldelim();
                if (message.detailCut != null && $Object.hasOwnProperty.call(message, "detailCut"))
                    writer.uint32(104).int64(message.detailCut);
                if (message.watermarks != null && $Object.hasOwnProperty.call(message, "watermarks"))
                    $root.paritas.v1.SideTimes.encode(message.watermarks, writer.uint32(114).fork(), _depth + 1).ldelim();
                if (message.evidence != null && message.evidence.length)
                    for (let i = 0; i < message.evidence.length; ++i)
                        $root.paritas.v1.Evidence.encode(message.evidence[i], writer.uint32(122).fork(), _depth + 1).ldelim();
                if (message.digests != null && $Object.hasOwnProperty.call(message, "digests"))
                    $root.paritas.v1.SideDigests.encode(message.digests, writer.uint32(130).fork(), _depth + 1).ldelim();
                if (message.decisionId != null && $Object.hasOwnProperty.call(message, "decisionId") && message.decisionId !== "")
                    writer.uint32(138).string(message.decisionId);
                if (message.configHash != null && $Object.hasOwnProperty.call(message, "configHash") && message.configHash !== "")
                    writer.uint32(146).string(message.configHash);
                if (message.previousVerdictHash != null && $Object.hasOwnProperty.call(message, "previousVerdictHash") && message.previousVerdictHash !== "")
                    writer.uint32(154).string(message.previousVerdictHash);
                if (message.coreHash != null && $Object.hasOwnProperty.call(message, "coreHash") && message.coreHash !== "")
                    writer.uint32(162).string(message.coreHash);
                if (message.evidenceHash != null && $Object.hasOwnProperty.call(message, "evidenceHash") && message.evidenceHash !== "")
                    writer.uint32(170).string(message.evidenceHash);
                if (message.traceparent != null && $Object.hasOwnProperty.call(message, "traceparent"))
                    writer.uint32(178).string(message.traceparent);
                if (message.torn != null && message.torn.length)
                    for (let i = 0; i < message.torn.length; ++i)
                        $root.paritas.v1.TornTransaction.encode(message.torn[i], writer.uint32(186).fork(), _depth + 1).ldelim();
                if (message.tornCut != null && $Object.hasOwnProperty.call(message, "tornCut"))
                    writer.uint32(192).int64(message.tornCut);
                if (message.chain != null && $Object.hasOwnProperty.call(message, "chain"))
                    writer.uint32(200).int32(message.chain);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Verdict.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.Verdict();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.record = value;
                            else
                                delete message.record;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.verdictId = value;
                            else
                                delete message.verdictId;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.pair = value;
                            else
                                delete message.pair;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            message.window = $root.paritas.v1.WindowBounds.decode(reader, reader.size(), $undefined, _depth + 1, message.window);
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.status = value;
                            else
                                delete message.status;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.change = value;
                            else
                                delete message.change;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.state = value;
                            else
                                delete message.state;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.confidence = value;
                            else
                                delete message.confidence;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.attribution = value;
                            else
                                delete message.attribution;
                            continue;
                        }
                    case 10: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.policy = value;
                            else
                                delete message.policy;
                            continue;
                        }
                    case 11: {
                            if (wireType !== 2)
                                break;
                            if (!(message.notObservable && message.notObservable.length))
                                message.notObservable = [];
                            message.notObservable.push(reader.stringVerify());
                            continue;
                        }
                    case 12: {
                            if (wireType !== 2)
                                break;
                            message.counts = $root.paritas.v1.Counts.decode(reader, reader.size(), $undefined, _depth + 1, message.counts);
                            continue;
                        }
                    case 13: {
                            if (wireType !== 0)
                                break;
                            message.detailCut = reader.int64();
                            message._detailCut = "detailCut";
                            continue;
                        }
                    case 14: {
                            if (wireType !== 2)
                                break;
                            message.watermarks = $root.paritas.v1.SideTimes.decode(reader, reader.size(), $undefined, _depth + 1, message.watermarks);
                            continue;
                        }
                    case 15: {
                            if (wireType !== 2)
                                break;
                            if (!(message.evidence && message.evidence.length))
                                message.evidence = [];
                            message.evidence.push($root.paritas.v1.Evidence.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 16: {
                            if (wireType !== 2)
                                break;
                            message.digests = $root.paritas.v1.SideDigests.decode(reader, reader.size(), $undefined, _depth + 1, message.digests);
                            continue;
                        }
                    case 17: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.decisionId = value;
                            else
                                delete message.decisionId;
                            continue;
                        }
                    case 18: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.configHash = value;
                            else
                                delete message.configHash;
                            continue;
                        }
                    case 19: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.previousVerdictHash = value;
                            else
                                delete message.previousVerdictHash;
                            continue;
                        }
                    case 20: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.coreHash = value;
                            else
                                delete message.coreHash;
                            continue;
                        }
                    case 21: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.evidenceHash = value;
                            else
                                delete message.evidenceHash;
                            continue;
                        }
                    case 22: {
                            if (wireType !== 2)
                                break;
                            message.traceparent = reader.stringVerify();
                            message._traceparent = "traceparent";
                            continue;
                        }
                    case 23: {
                            if (wireType !== 2)
                                break;
                            if (!(message.torn && message.torn.length))
                                message.torn = [];
                            message.torn.push($root.paritas.v1.TornTransaction.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 24: {
                            if (wireType !== 0)
                                break;
                            message.tornCut = reader.int64();
                            message._tornCut = "tornCut";
                            continue;
                        }
                    case 25: {
                            if (wireType !== 0)
                                break;
                            message.chain = reader.int32();
                            message._chain = "chain";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Verdict;
        })();

        v1.TornTransaction = (function() {

            const TornTransaction = function (properties) {
                this.keys = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            TornTransaction.prototype.transaction = "";
            TornTransaction.prototype.applied = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            TornTransaction.prototype.missing = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            TornTransaction.prototype.keys = $util.emptyArray;
            TornTransaction.prototype.keysCut = null;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(TornTransaction.prototype, "_keysCut", {
                get: $util.oneOfGetter($oneOfFields = ["keysCut"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            TornTransaction.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.transaction != null && $Object.hasOwnProperty.call(message, "transaction") && message.transaction !== "")
                    writer.uint32(10).string(message.transaction);
                if (message.applied != null && $Object.hasOwnProperty.call(message, "applied") && (typeof message.applied === "object" ? message.applied.low || message.applied.high : message.applied !== 0))
                    writer.uint32(16).int64(message.applied);
                if (message.missing != null && $Object.hasOwnProperty.call(message, "missing") && (typeof message.missing === "object" ? message.missing.low || message.missing.high : message.missing !== 0))
                    writer.uint32(24).int64(message.missing);
                if (message.keys != null && message.keys.length)
                    for (let i = 0; i < message.keys.length; ++i)
                        $root.paritas.v1.RowKey.encode(message.keys[i], writer.uint32(34).fork(), _depth + 1).ldelim();
                if (message.keysCut != null && $Object.hasOwnProperty.call(message, "keysCut"))
                    writer.uint32(40).int64(message.keysCut);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            TornTransaction.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.TornTransaction();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.transaction = value;
                            else
                                delete message.transaction;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.applied = value;
                            else
                                delete message.applied;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.missing = value;
                            else
                                delete message.missing;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if (!(message.keys && message.keys.length))
                                message.keys = [];
                            message.keys.push($root.paritas.v1.RowKey.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            message.keysCut = reader.int64();
                            message._keysCut = "keysCut";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return TornTransaction;
        })();

        v1.SideTimes = (function() {

            const SideTimes = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            SideTimes.prototype.source = null;
            SideTimes.prototype.target = null;

            SideTimes.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.source != null && $Object.hasOwnProperty.call(message, "source"))
                    $root.google.protobuf.Timestamp.encode(message.source, writer.uint32(10).fork(), _depth + 1).ldelim();
                if (message.target != null && $Object.hasOwnProperty.call(message, "target"))
                    $root.google.protobuf.Timestamp.encode(message.target, writer.uint32(18).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            SideTimes.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.SideTimes();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            message.source = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.source);
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.target = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.target);
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return SideTimes;
        })();

        v1.SideDigests = (function() {

            const SideDigests = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            SideDigests.prototype.source = "";
            SideDigests.prototype.target = "";

            SideDigests.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.source != null && $Object.hasOwnProperty.call(message, "source") && message.source !== "")
                    writer.uint32(10).string(message.source);
                if (message.target != null && $Object.hasOwnProperty.call(message, "target") && message.target !== "")
                    writer.uint32(18).string(message.target);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            SideDigests.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.SideDigests();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.source = value;
                            else
                                delete message.source;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.target = value;
                            else
                                delete message.target;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return SideDigests;
        })();

        v1.Evidence = (function() {

            const Evidence = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Evidence.prototype.side = "";
            Evidence.prototype.topic = "";
            Evidence.prototype.partition = 0;
            Evidence.prototype.fromOffset = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Evidence.prototype.toOffset = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Evidence.prototype.tier = "";

            Evidence.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.side != null && $Object.hasOwnProperty.call(message, "side") && message.side !== "")
                    writer.uint32(10).string(message.side);
                if (message.topic != null && $Object.hasOwnProperty.call(message, "topic") && message.topic !== "")
                    writer.uint32(18).string(message.topic);
                if (message.partition != null && $Object.hasOwnProperty.call(message, "partition") && message.partition !== 0)
                    writer.uint32(24).int32(message.partition);
                if (message.fromOffset != null && $Object.hasOwnProperty.call(message, "fromOffset") && (typeof message.fromOffset === "object" ? message.fromOffset.low || message.fromOffset.high : message.fromOffset !== 0))
                    writer.uint32(32).int64(message.fromOffset);
                if (message.toOffset != null && $Object.hasOwnProperty.call(message, "toOffset") && (typeof message.toOffset === "object" ? message.toOffset.low || message.toOffset.high : message.toOffset !== 0))
                    writer.uint32(40).int64(message.toOffset);
                if (message.tier != null && $Object.hasOwnProperty.call(message, "tier") && message.tier !== "")
                    writer.uint32(50).string(message.tier);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Evidence.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.Evidence();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.side = value;
                            else
                                delete message.side;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.topic = value;
                            else
                                delete message.topic;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.partition = value;
                            else
                                delete message.partition;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.fromOffset = value;
                            else
                                delete message.fromOffset;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.toOffset = value;
                            else
                                delete message.toOffset;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.tier = value;
                            else
                                delete message.tier;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Evidence;
        })();

        v1.Summary = (function() {

            const Summary = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Summary.prototype.record = "";
            Summary.prototype.pair = "";
            Summary.prototype.windows = null;
            Summary.prototype.counts = null;
            Summary.prototype.lastVerdictHash = null;
            Summary.prototype.exitCode = 0;

            let $oneOfFields;

            // Virtual OneOf for proto3 optional field
            $Object.defineProperty(Summary.prototype, "_lastVerdictHash", {
                get: $util.oneOfGetter($oneOfFields = ["lastVerdictHash"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            Summary.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record !== "")
                    writer.uint32(10).string(message.record);
                if (message.pair != null && $Object.hasOwnProperty.call(message, "pair") && message.pair !== "")
                    writer.uint32(18).string(message.pair);
                if (message.windows != null && $Object.hasOwnProperty.call(message, "windows"))
                    $root.paritas.v1.WindowCounts.encode(message.windows, writer.uint32(26).fork(), _depth + 1).ldelim();
                if (message.counts != null && $Object.hasOwnProperty.call(message, "counts"))
                    $root.paritas.v1.Counts.encode(message.counts, writer.uint32(34).fork(), _depth + 1).ldelim();
                if (message.exitCode != null && $Object.hasOwnProperty.call(message, "exitCode") && message.exitCode !== 0)
                    writer.uint32(40).int32(message.exitCode);
                if (message.lastVerdictHash != null && $Object.hasOwnProperty.call(message, "lastVerdictHash"))
                    writer.uint32(50).string(message.lastVerdictHash);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Summary.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.Summary();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.record = value;
                            else
                                delete message.record;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.pair = value;
                            else
                                delete message.pair;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            message.windows = $root.paritas.v1.WindowCounts.decode(reader, reader.size(), $undefined, _depth + 1, message.windows);
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            message.counts = $root.paritas.v1.Counts.decode(reader, reader.size(), $undefined, _depth + 1, message.counts);
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            message.lastVerdictHash = reader.stringVerify();
                            message._lastVerdictHash = "lastVerdictHash";
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.exitCode = value;
                            else
                                delete message.exitCode;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Summary;
        })();

        v1.WindowCounts = (function() {

            const WindowCounts = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            WindowCounts.prototype.parity = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            WindowCounts.prototype.diverged = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            WindowCounts.prototype.undecidable = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            WindowCounts.prototype.open = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

            WindowCounts.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.parity != null && $Object.hasOwnProperty.call(message, "parity") && (typeof message.parity === "object" ? message.parity.low || message.parity.high : message.parity !== 0))
                    writer.uint32(8).int64(message.parity);
                if (message.diverged != null && $Object.hasOwnProperty.call(message, "diverged") && (typeof message.diverged === "object" ? message.diverged.low || message.diverged.high : message.diverged !== 0))
                    writer.uint32(16).int64(message.diverged);
                if (message.undecidable != null && $Object.hasOwnProperty.call(message, "undecidable") && (typeof message.undecidable === "object" ? message.undecidable.low || message.undecidable.high : message.undecidable !== 0))
                    writer.uint32(24).int64(message.undecidable);
                if (message.open != null && $Object.hasOwnProperty.call(message, "open") && (typeof message.open === "object" ? message.open.low || message.open.high : message.open !== 0))
                    writer.uint32(32).int64(message.open);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            WindowCounts.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.paritas.v1.WindowCounts();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.parity = value;
                            else
                                delete message.parity;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.diverged = value;
                            else
                                delete message.diverged;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.undecidable = value;
                            else
                                delete message.undecidable;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.open = value;
                            else
                                delete message.open;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return WindowCounts;
        })();

        return v1;
    })();

    return paritas;
})();

export const google = $root.google = (() => {

    const google = {};

    google.protobuf = (function() {

        const protobuf = {};

        protobuf.Timestamp = (function() {

            const Timestamp = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            Timestamp.prototype.seconds = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
            Timestamp.prototype.nanos = 0;

            Timestamp.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.seconds != null && $Object.hasOwnProperty.call(message, "seconds") && (typeof message.seconds === "object" ? message.seconds.low || message.seconds.high : message.seconds !== 0))
                    writer.uint32(8).int64(message.seconds);
                if (message.nanos != null && $Object.hasOwnProperty.call(message, "nanos") && message.nanos !== 0)
                    writer.uint32(16).int32(message.nanos);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            Timestamp.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.google.protobuf.Timestamp();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                                message.seconds = value;
                            else
                                delete message.seconds;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.nanos = value;
                            else
                                delete message.nanos;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            return Timestamp;
        })();

        return protobuf;
    })();

    return google;
})();

export {
  $root as default
};
