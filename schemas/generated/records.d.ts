import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");

/** Namespace paritas. */
export namespace paritas {

    /** Namespace v1. */
    namespace v1 {

        /**
         * Properties of a ChangeEvent.
         * @deprecated Use paritas.v1.ChangeEvent.$Properties instead.
         */
        interface IChangeEvent extends paritas.v1.ChangeEvent.$Properties {
        }

        /** Represents a ChangeEvent. */
        class ChangeEvent {

            /**
             * Constructs a new ChangeEvent.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.ChangeEvent.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** ChangeEvent side. */
            side: number;

            /** ChangeEvent kind. */
            kind: number;

            /** ChangeEvent op. */
            op: number;

            /** ChangeEvent commitTimeUs. */
            commitTimeUs: (Long|null);

            /** ChangeEvent position. */
            position: (Uint8Array|null);

            /** ChangeEvent totalOrder. */
            totalOrder: (Long|null);

            /** ChangeEvent snapshot. */
            snapshot: boolean;

            /** ChangeEvent key. */
            key: Uint8Array;

            /** ChangeEvent origin. */
            origin: (Uint8Array|null);

            /** ChangeEvent transaction. */
            transaction: (Uint8Array|null);

            /** ChangeEvent trace. */
            trace: (Uint8Array|null);

            /** ChangeEvent image. */
            image: (Uint8Array|null);

            /** ChangeEvent layout. */
            layout: paritas.v1.Layout;

            /** ChangeEvent linkedKey. */
            linkedKey: (Uint8Array|null);

            /** ChangeEvent topic. */
            topic: string;

            /** ChangeEvent partition. */
            partition: number;

            /** ChangeEvent offset. */
            offset: Long;

            /**
             * Encodes the specified ChangeEvent message. Does not implicitly {@link paritas.v1.ChangeEvent.verify|verify} messages.
             * @param message ChangeEvent message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.ChangeEvent.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a ChangeEvent message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.ChangeEvent & paritas.v1.ChangeEvent.$Shape} ChangeEvent
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.ChangeEvent & paritas.v1.ChangeEvent.$Shape;
        }

        namespace ChangeEvent {

            /** Properties of a ChangeEvent. */
            interface $Properties {

                /** ChangeEvent side */
                side?: number;

                /** ChangeEvent kind */
                kind?: number;

                /** ChangeEvent op */
                op?: number;

                /** ChangeEvent commitTimeUs */
                commitTimeUs?: (Long|null);

                /** ChangeEvent position */
                position?: (Uint8Array|null);

                /** ChangeEvent totalOrder */
                totalOrder?: (Long|null);

                /** ChangeEvent snapshot */
                snapshot?: boolean;

                /** ChangeEvent key */
                key?: Uint8Array;

                /** ChangeEvent origin */
                origin?: (Uint8Array|null);

                /** ChangeEvent transaction */
                transaction?: (Uint8Array|null);

                /** ChangeEvent trace */
                trace?: (Uint8Array|null);

                /** ChangeEvent image */
                image?: (Uint8Array|null);

                /** ChangeEvent layout */
                layout?: paritas.v1.Layout.$Properties;

                /** ChangeEvent linkedKey */
                linkedKey?: (Uint8Array|null);

                /** ChangeEvent topic */
                topic?: string;

                /** ChangeEvent partition */
                partition?: number;

                /** ChangeEvent offset */
                offset?: Long;

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a ChangeEvent. */
            type $Shape = paritas.v1.ChangeEvent.$Properties;
        }

        /**
         * Properties of a Layout.
         * @deprecated Use paritas.v1.Layout.$Properties instead.
         */
        interface ILayout extends paritas.v1.Layout.$Properties {
        }

        /** Represents a Layout. */
        class Layout {

            /**
             * Constructs a new Layout.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.Layout.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Layout known. */
            known: string[];

            /** Layout unavailable. */
            unavailable: string[];

            /** Layout placeholders. */
            placeholders: string[];

            /**
             * Encodes the specified Layout message. Does not implicitly {@link paritas.v1.Layout.verify|verify} messages.
             * @param message Layout message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.Layout.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Layout message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.Layout & paritas.v1.Layout.$Shape} Layout
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.Layout & paritas.v1.Layout.$Shape;
        }

        namespace Layout {

            /** Properties of a Layout. */
            interface $Properties {

                /** Layout known */
                known?: string[];

                /** Layout unavailable */
                unavailable?: string[];

                /** Layout placeholders */
                placeholders?: string[];

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Layout. */
            type $Shape = paritas.v1.Layout.$Properties;
        }

        /**
         * Properties of a WindowBounds.
         * @deprecated Use paritas.v1.WindowBounds.$Properties instead.
         */
        interface IWindowBounds extends paritas.v1.WindowBounds.$Properties {
        }

        /** Represents a WindowBounds. */
        class WindowBounds {

            /**
             * Constructs a new WindowBounds.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.WindowBounds.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** WindowBounds start. */
            start: google.protobuf.Timestamp;

            /** WindowBounds end. */
            end: google.protobuf.Timestamp;

            /**
             * Encodes the specified WindowBounds message. Does not implicitly {@link paritas.v1.WindowBounds.verify|verify} messages.
             * @param message WindowBounds message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.WindowBounds.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a WindowBounds message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.WindowBounds & paritas.v1.WindowBounds.$Shape} WindowBounds
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.WindowBounds & paritas.v1.WindowBounds.$Shape;
        }

        namespace WindowBounds {

            /** Properties of a WindowBounds. */
            interface $Properties {

                /** WindowBounds start */
                start?: google.protobuf.Timestamp.$Properties;

                /** WindowBounds end */
                end?: google.protobuf.Timestamp.$Properties;

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a WindowBounds. */
            type $Shape = paritas.v1.WindowBounds.$Properties;
        }

        /**
         * Properties of a KeyColumn.
         * @deprecated Use paritas.v1.KeyColumn.$Properties instead.
         */
        interface IKeyColumn extends paritas.v1.KeyColumn.$Properties {
        }

        /** Represents a KeyColumn. */
        class KeyColumn {

            /**
             * Constructs a new KeyColumn.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.KeyColumn.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** KeyColumn name. */
            name: string;

            /** KeyColumn value. */
            value: (string|null);

            /**
             * Encodes the specified KeyColumn message. Does not implicitly {@link paritas.v1.KeyColumn.verify|verify} messages.
             * @param message KeyColumn message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.KeyColumn.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a KeyColumn message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.KeyColumn & paritas.v1.KeyColumn.$Shape} KeyColumn
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.KeyColumn & paritas.v1.KeyColumn.$Shape;
        }

        namespace KeyColumn {

            /** Properties of a KeyColumn. */
            interface $Properties {

                /** KeyColumn name */
                name?: string;

                /** KeyColumn value */
                value?: (string|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a KeyColumn. */
            type $Shape = paritas.v1.KeyColumn.$Properties;
        }

        /**
         * Properties of a RowKey.
         * @deprecated Use paritas.v1.RowKey.$Properties instead.
         */
        interface IRowKey extends paritas.v1.RowKey.$Properties {
        }

        /** Represents a RowKey. */
        class RowKey {

            /**
             * Constructs a new RowKey.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.RowKey.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** RowKey columns. */
            columns: paritas.v1.KeyColumn[];

            /**
             * Encodes the specified RowKey message. Does not implicitly {@link paritas.v1.RowKey.verify|verify} messages.
             * @param message RowKey message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.RowKey.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a RowKey message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.RowKey & paritas.v1.RowKey.$Shape} RowKey
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.RowKey & paritas.v1.RowKey.$Shape;
        }

        namespace RowKey {

            /** Properties of a RowKey. */
            interface $Properties {

                /** RowKey columns */
                columns?: paritas.v1.KeyColumn.$Properties[];

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a RowKey. */
            type $Shape = paritas.v1.RowKey.$Properties;
        }

        /**
         * Properties of a Counts.
         * @deprecated Use paritas.v1.Counts.$Properties instead.
         */
        interface ICounts extends paritas.v1.Counts.$Properties {
        }

        /** Represents a Counts. */
        class Counts {

            /**
             * Constructs a new Counts.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.Counts.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Counts sourceEvents. */
            sourceEvents: Long;

            /** Counts targetEvents. */
            targetEvents: Long;

            /** Counts matched. */
            matched: Long;

            /** Counts missing. */
            missing: Long;

            /** Counts unexpected. */
            unexpected: Long;

            /** Counts mismatch. */
            mismatch: Long;

            /** Counts duplicate. */
            duplicate: Long;

            /** Counts reordered. */
            reordered: Long;

            /** Counts gap. */
            gap: Long;

            /** Counts lateApplied. */
            lateApplied: Long;

            /** Counts collapsed. */
            collapsed: Long;

            /** Counts elided. */
            elided: Long;

            /** Counts pending. */
            pending: Long;

            /** Counts late. */
            late: Long;

            /** Counts redelivered. */
            redelivered: Long;

            /** Counts deadLettered. */
            deadLettered: Long;

            /** Counts excluded. */
            excluded: Long;

            /** Counts unknownColumns. */
            unknownColumns: Long;

            /** Counts openDivergences. */
            openDivergences: Long;

            /**
             * Encodes the specified Counts message. Does not implicitly {@link paritas.v1.Counts.verify|verify} messages.
             * @param message Counts message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.Counts.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Counts message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.Counts & paritas.v1.Counts.$Shape} Counts
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.Counts & paritas.v1.Counts.$Shape;
        }

        namespace Counts {

            /** Properties of a Counts. */
            interface $Properties {

                /** Counts sourceEvents */
                sourceEvents?: Long;

                /** Counts targetEvents */
                targetEvents?: Long;

                /** Counts matched */
                matched?: Long;

                /** Counts missing */
                missing?: Long;

                /** Counts unexpected */
                unexpected?: Long;

                /** Counts mismatch */
                mismatch?: Long;

                /** Counts duplicate */
                duplicate?: Long;

                /** Counts reordered */
                reordered?: Long;

                /** Counts gap */
                gap?: Long;

                /** Counts lateApplied */
                lateApplied?: Long;

                /** Counts collapsed */
                collapsed?: Long;

                /** Counts elided */
                elided?: Long;

                /** Counts pending */
                pending?: Long;

                /** Counts late */
                late?: Long;

                /** Counts redelivered */
                redelivered?: Long;

                /** Counts deadLettered */
                deadLettered?: Long;

                /** Counts excluded */
                excluded?: Long;

                /** Counts unknownColumns */
                unknownColumns?: Long;

                /** Counts openDivergences */
                openDivergences?: Long;

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Counts. */
            type $Shape = paritas.v1.Counts.$Properties;
        }

        /**
         * Properties of a DeadLetter.
         * @deprecated Use paritas.v1.DeadLetter.$Properties instead.
         */
        interface IDeadLetter extends paritas.v1.DeadLetter.$Properties {
        }

        /** Represents a DeadLetter. */
        class DeadLetter {

            /**
             * Constructs a new DeadLetter.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.DeadLetter.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** DeadLetter record. */
            record: string;

            /** DeadLetter pair. */
            pair: string;

            /** DeadLetter side. */
            side: string;

            /** DeadLetter topic. */
            topic: (string|null);

            /** DeadLetter partition. */
            partition: (number|null);

            /** DeadLetter offset. */
            offset: (Long|null);

            /** DeadLetter file. */
            file: (string|null);

            /** DeadLetter line. */
            line: (Long|null);

            /** DeadLetter reason. */
            reason: string;

            /** DeadLetter detail. */
            detail: string;

            /** DeadLetter valueBase64. */
            valueBase64: (Uint8Array|null);

            /** DeadLetter chain. */
            chain: (number|null);

            /**
             * Encodes the specified DeadLetter message. Does not implicitly {@link paritas.v1.DeadLetter.verify|verify} messages.
             * @param message DeadLetter message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.DeadLetter.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a DeadLetter message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.DeadLetter & paritas.v1.DeadLetter.$Shape} DeadLetter
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.DeadLetter & paritas.v1.DeadLetter.$Shape;
        }

        namespace DeadLetter {

            /** Properties of a DeadLetter. */
            interface $Properties {

                /** DeadLetter record */
                record?: string;

                /** DeadLetter pair */
                pair?: string;

                /** DeadLetter side */
                side?: string;

                /** DeadLetter topic */
                topic?: (string|null);

                /** DeadLetter partition */
                partition?: (number|null);

                /** DeadLetter offset */
                offset?: (Long|null);

                /** DeadLetter file */
                file?: (string|null);

                /** DeadLetter line */
                line?: (Long|null);

                /** DeadLetter reason */
                reason?: string;

                /** DeadLetter detail */
                detail?: string;

                /** DeadLetter valueBase64 */
                valueBase64?: (Uint8Array|null);

                /** DeadLetter chain */
                chain?: (number|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a DeadLetter. */
            type $Shape = paritas.v1.DeadLetter.$Properties;
        }

        /**
         * Properties of a Decision.
         * @deprecated Use paritas.v1.Decision.$Properties instead.
         */
        interface IDecision extends paritas.v1.Decision.$Properties {
        }

        /** Represents a Decision. */
        class Decision {

            /**
             * Constructs a new Decision.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.Decision.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Decision record. */
            record: string;

            /** Decision decisionId. */
            decisionId: string;

            /** Decision pair. */
            pair: string;

            /** Decision closeUpTo. */
            closeUpTo: google.protobuf.Timestamp;

            /** Decision frontiers. */
            frontiers: paritas.v1.Frontier[];

            /** Decision claims. */
            claims: paritas.v1.Claim[];

            /** Decision overrides. */
            overrides: string[];

            /** Decision takenAt. */
            takenAt: google.protobuf.Timestamp;

            /** Decision chain. */
            chain: (number|null);

            /**
             * Encodes the specified Decision message. Does not implicitly {@link paritas.v1.Decision.verify|verify} messages.
             * @param message Decision message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.Decision.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Decision message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.Decision & paritas.v1.Decision.$Shape} Decision
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.Decision & paritas.v1.Decision.$Shape;
        }

        namespace Decision {

            /** Properties of a Decision. */
            interface $Properties {

                /** Decision record */
                record?: string;

                /** Decision decisionId */
                decisionId?: string;

                /** Decision pair */
                pair?: string;

                /** Decision closeUpTo */
                closeUpTo?: google.protobuf.Timestamp.$Properties;

                /** Decision frontiers */
                frontiers?: paritas.v1.Frontier.$Properties[];

                /** Decision claims */
                claims?: paritas.v1.Claim.$Properties[];

                /** Decision overrides */
                overrides?: string[];

                /** Decision takenAt */
                takenAt?: google.protobuf.Timestamp.$Properties;

                /** Decision chain */
                chain?: (number|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Decision. */
            type $Shape = paritas.v1.Decision.$Properties;
        }

        /**
         * Properties of a Frontier.
         * @deprecated Use paritas.v1.Frontier.$Properties instead.
         */
        interface IFrontier extends paritas.v1.Frontier.$Properties {
        }

        /** Represents a Frontier. */
        class Frontier {

            /**
             * Constructs a new Frontier.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.Frontier.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Frontier side. */
            side: string;

            /** Frontier topic. */
            topic: string;

            /** Frontier partition. */
            partition: number;

            /** Frontier fromOffset. */
            fromOffset: Long;

            /** Frontier offset. */
            offset: Long;

            /**
             * Encodes the specified Frontier message. Does not implicitly {@link paritas.v1.Frontier.verify|verify} messages.
             * @param message Frontier message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.Frontier.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Frontier message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.Frontier & paritas.v1.Frontier.$Shape} Frontier
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.Frontier & paritas.v1.Frontier.$Shape;
        }

        namespace Frontier {

            /** Properties of a Frontier. */
            interface $Properties {

                /** Frontier side */
                side?: string;

                /** Frontier topic */
                topic?: string;

                /** Frontier partition */
                partition?: number;

                /** Frontier fromOffset */
                fromOffset?: Long;

                /** Frontier offset */
                offset?: Long;

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Frontier. */
            type $Shape = paritas.v1.Frontier.$Properties;
        }

        /**
         * Properties of a Claim.
         * @deprecated Use paritas.v1.Claim.$Properties instead.
         */
        interface IClaim extends paritas.v1.Claim.$Properties {
        }

        /** Represents a Claim. */
        class Claim {

            /**
             * Constructs a new Claim.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.Claim.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Claim side. */
            side: string;

            /** Claim topic. */
            topic: string;

            /** Claim partition. */
            partition: number;

            /** Claim watermark. */
            watermark: google.protobuf.Timestamp;

            /** Claim tier. */
            tier: string;

            /**
             * Encodes the specified Claim message. Does not implicitly {@link paritas.v1.Claim.verify|verify} messages.
             * @param message Claim message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.Claim.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Claim message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.Claim & paritas.v1.Claim.$Shape} Claim
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.Claim & paritas.v1.Claim.$Shape;
        }

        namespace Claim {

            /** Properties of a Claim. */
            interface $Properties {

                /** Claim side */
                side?: string;

                /** Claim topic */
                topic?: string;

                /** Claim partition */
                partition?: number;

                /** Claim watermark */
                watermark?: google.protobuf.Timestamp.$Properties;

                /** Claim tier */
                tier?: string;

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Claim. */
            type $Shape = paritas.v1.Claim.$Properties;
        }

        /**
         * Properties of a Manifest.
         * @deprecated Use paritas.v1.Manifest.$Properties instead.
         */
        interface IManifest extends paritas.v1.Manifest.$Properties {
        }

        /** Represents a Manifest. */
        class Manifest {

            /**
             * Constructs a new Manifest.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.Manifest.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Manifest record. */
            record: string;

            /** Manifest manifestId. */
            manifestId: string;

            /** Manifest verdictId. */
            verdictId: string;

            /** Manifest pair. */
            pair: string;

            /** Manifest window. */
            window: paritas.v1.WindowBounds;

            /** Manifest class. */
            class: string;

            /** Manifest key. */
            key: paritas.v1.KeyColumn[];

            /** Manifest source. */
            source: paritas.v1.ManifestSide;

            /** Manifest target. */
            target: paritas.v1.ManifestSide;

            /** Manifest columns. */
            columns: paritas.v1.ColumnDifferences;

            /** Manifest hint. */
            hint: (string|null);

            /** Manifest attribution. */
            attribution: string;

            /** Manifest remedy. */
            remedy: string;

            /** Manifest severity. */
            severity: string;

            /** Manifest firstSeen. */
            firstSeen: google.protobuf.Timestamp;

            /** Manifest traceparent. */
            traceparent: (string|null);

            /** Manifest detail. */
            detail: (string|null);

            /** Manifest linkedKey. */
            linkedKey: paritas.v1.KeyColumn[];

            /** Manifest chain. */
            chain: (number|null);

            /**
             * Encodes the specified Manifest message. Does not implicitly {@link paritas.v1.Manifest.verify|verify} messages.
             * @param message Manifest message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.Manifest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Manifest message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.Manifest & paritas.v1.Manifest.$Shape} Manifest
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.Manifest & paritas.v1.Manifest.$Shape;
        }

        namespace Manifest {

            /** Properties of a Manifest. */
            interface $Properties {

                /** Manifest record */
                record?: string;

                /** Manifest manifestId */
                manifestId?: string;

                /** Manifest verdictId */
                verdictId?: string;

                /** Manifest pair */
                pair?: string;

                /** Manifest window */
                window?: paritas.v1.WindowBounds.$Properties;

                /** Manifest class */
                "class"?: string;

                /** Manifest key */
                key?: paritas.v1.KeyColumn.$Properties[];

                /** Manifest source */
                source?: paritas.v1.ManifestSide.$Properties;

                /** Manifest target */
                target?: paritas.v1.ManifestSide.$Properties;

                /** Manifest columns */
                columns?: paritas.v1.ColumnDifferences.$Properties;

                /** Manifest hint */
                hint?: (string|null);

                /** Manifest attribution */
                attribution?: string;

                /** Manifest remedy */
                remedy?: string;

                /** Manifest severity */
                severity?: string;

                /** Manifest firstSeen */
                firstSeen?: google.protobuf.Timestamp.$Properties;

                /** Manifest traceparent */
                traceparent?: (string|null);

                /** Manifest detail */
                detail?: (string|null);

                /** Manifest linkedKey */
                linkedKey?: paritas.v1.KeyColumn.$Properties[];

                /** Manifest chain */
                chain?: (number|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Manifest. */
            type $Shape = {
              record?: string;
              manifestId?: string;
              verdictId?: string;
              pair?: string;
              window?: paritas.v1.WindowBounds.$Shape;
              "class"?: string;
              key?: paritas.v1.KeyColumn.$Shape[];
              source?: paritas.v1.ManifestSide.$Shape;
              target?: paritas.v1.ManifestSide.$Shape;
              columns?: paritas.v1.ColumnDifferences.$Shape;
              hint?: string|null;
              attribution?: string;
              remedy?: string;
              severity?: string;
              firstSeen?: google.protobuf.Timestamp.$Shape;
              traceparent?: string|null;
              detail?: string|null;
              linkedKey?: paritas.v1.KeyColumn.$Shape[];
              chain?: number|null;
              $unknowns?: Uint8Array[];
            };
        }

        /**
         * Properties of a ManifestSide.
         * @deprecated Use paritas.v1.ManifestSide.$Properties instead.
         */
        interface IManifestSide extends paritas.v1.ManifestSide.$Properties {
        }

        /** Represents a ManifestSide. */
        class ManifestSide {

            /**
             * Constructs a new ManifestSide.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.ManifestSide.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** ManifestSide op. */
            op: string;

            /** ManifestSide position. */
            position: (string|null);

            /** ManifestSide origin. */
            origin: (string|null);

            /** ManifestSide commitTime. */
            commitTime: google.protobuf.Timestamp;

            /** ManifestSide topic. */
            topic: string;

            /** ManifestSide partition. */
            partition: number;

            /** ManifestSide offset. */
            offset: Long;

            /** ManifestSide transaction. */
            transaction: (string|null);

            /**
             * Encodes the specified ManifestSide message. Does not implicitly {@link paritas.v1.ManifestSide.verify|verify} messages.
             * @param message ManifestSide message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.ManifestSide.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a ManifestSide message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.ManifestSide & paritas.v1.ManifestSide.$Shape} ManifestSide
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.ManifestSide & paritas.v1.ManifestSide.$Shape;
        }

        namespace ManifestSide {

            /** Properties of a ManifestSide. */
            interface $Properties {

                /** ManifestSide op */
                op?: string;

                /** ManifestSide position */
                position?: (string|null);

                /** ManifestSide origin */
                origin?: (string|null);

                /** ManifestSide commitTime */
                commitTime?: google.protobuf.Timestamp.$Properties;

                /** ManifestSide topic */
                topic?: string;

                /** ManifestSide partition */
                partition?: number;

                /** ManifestSide offset */
                offset?: Long;

                /** ManifestSide transaction */
                transaction?: (string|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a ManifestSide. */
            type $Shape = paritas.v1.ManifestSide.$Properties;
        }

        /**
         * Properties of a ColumnDifferences.
         * @deprecated Use paritas.v1.ColumnDifferences.$Properties instead.
         */
        interface IColumnDifferences extends paritas.v1.ColumnDifferences.$Properties {
        }

        /** Represents a ColumnDifferences. */
        class ColumnDifferences {

            /**
             * Constructs a new ColumnDifferences.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.ColumnDifferences.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** ColumnDifferences columns. */
            columns: paritas.v1.ColumnDifference[];

            /**
             * Encodes the specified ColumnDifferences message. Does not implicitly {@link paritas.v1.ColumnDifferences.verify|verify} messages.
             * @param message ColumnDifferences message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.ColumnDifferences.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a ColumnDifferences message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.ColumnDifferences & paritas.v1.ColumnDifferences.$Shape} ColumnDifferences
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.ColumnDifferences & paritas.v1.ColumnDifferences.$Shape;
        }

        namespace ColumnDifferences {

            /** Properties of a ColumnDifferences. */
            interface $Properties {

                /** ColumnDifferences columns */
                columns?: paritas.v1.ColumnDifference.$Properties[];

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a ColumnDifferences. */
            type $Shape = {
              columns?: paritas.v1.ColumnDifference.$Shape[];
              $unknowns?: Uint8Array[];
            };
        }

        /**
         * Properties of a ColumnDifference.
         * @deprecated Use paritas.v1.ColumnDifference.$Properties instead.
         */
        interface IColumnDifference extends paritas.v1.ColumnDifference.$Properties {
        }

        /** Represents a ColumnDifference. */
        class ColumnDifference {

            /**
             * Constructs a new ColumnDifference.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.ColumnDifference.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** ColumnDifference name. */
            name: string;

            /** ColumnDifference source. */
            source: paritas.v1.ColumnValue;

            /** ColumnDifference target. */
            target: paritas.v1.ColumnValue;

            /** ColumnDifference hint. */
            hint: (string|null);

            /**
             * Encodes the specified ColumnDifference message. Does not implicitly {@link paritas.v1.ColumnDifference.verify|verify} messages.
             * @param message ColumnDifference message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.ColumnDifference.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a ColumnDifference message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.ColumnDifference & paritas.v1.ColumnDifference.$Shape} ColumnDifference
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.ColumnDifference & paritas.v1.ColumnDifference.$Shape;
        }

        namespace ColumnDifference {

            /** Properties of a ColumnDifference. */
            interface $Properties {

                /** ColumnDifference name */
                name?: string;

                /** ColumnDifference source */
                source?: paritas.v1.ColumnValue.$Properties;

                /** ColumnDifference target */
                target?: paritas.v1.ColumnValue.$Properties;

                /** ColumnDifference hint */
                hint?: (string|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a ColumnDifference. */
            type $Shape = {
              name?: string;
              source?: paritas.v1.ColumnValue.$Shape;
              target?: paritas.v1.ColumnValue.$Shape;
              hint?: string|null;
              $unknowns?: Uint8Array[];
            };
        }

        /**
         * Properties of a ColumnValue.
         * @deprecated Use paritas.v1.ColumnValue.$Properties instead.
         */
        interface IColumnValue extends paritas.v1.ColumnValue.$Properties {
        }

        /** Represents a ColumnValue. */
        class ColumnValue {

            /**
             * Constructs a new ColumnValue.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.ColumnValue.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** ColumnValue text. */
            text: (string|null);

            /** ColumnValue null. */
            null: (boolean|null);

            /** ColumnValue unavailable. */
            unavailable: (boolean|null);

            /** ColumnValue absent. */
            absent: (boolean|null);

            /** ColumnValue value. */
            value?: ("text"|"null"|"unavailable"|"absent");

            /**
             * Encodes the specified ColumnValue message. Does not implicitly {@link paritas.v1.ColumnValue.verify|verify} messages.
             * @param message ColumnValue message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.ColumnValue.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a ColumnValue message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.ColumnValue & paritas.v1.ColumnValue.$Shape} ColumnValue
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.ColumnValue & paritas.v1.ColumnValue.$Shape;
        }

        namespace ColumnValue {

            /** Properties of a ColumnValue. */
            interface $Properties {

                /** ColumnValue text */
                text?: (string|null);

                /** ColumnValue null */
                "null"?: (boolean|null);

                /** ColumnValue unavailable */
                unavailable?: (boolean|null);

                /** ColumnValue absent */
                absent?: (boolean|null);

                /** ColumnValue value */
                value?: ("text"|"null"|"unavailable"|"absent");

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Narrowed shape of a ColumnValue. */
            type $Shape = {
              text?: string|null;
              "null"?: boolean|null;
              unavailable?: boolean|null;
              absent?: boolean|null;
              $unknowns?: Uint8Array[];
            } & (
              ({ value?: undefined; text?: null; "null"?: null; unavailable?: null; absent?: null }|{ value?: "text"; text: string; "null"?: null; unavailable?: null; absent?: null }|{ value?: "null"; text?: null; "null": boolean; unavailable?: null; absent?: null }|{ value?: "unavailable"; text?: null; "null"?: null; unavailable: boolean; absent?: null }|{ value?: "absent"; text?: null; "null"?: null; unavailable?: null; absent: boolean })
            );
        }

        /**
         * Properties of a Resolved.
         * @deprecated Use paritas.v1.Resolved.$Properties instead.
         */
        interface IResolved extends paritas.v1.Resolved.$Properties {
        }

        /** Represents a Resolved. */
        class Resolved {

            /**
             * Constructs a new Resolved.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.Resolved.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Resolved record. */
            record: string;

            /** Resolved pair. */
            pair: string;

            /** Resolved key. */
            key: paritas.v1.KeyColumn[];

            /** Resolved window. */
            window: paritas.v1.WindowBounds;

            /** Resolved manifestId. */
            manifestId: (string|null);

            /** Resolved chain. */
            chain: (number|null);

            /**
             * Encodes the specified Resolved message. Does not implicitly {@link paritas.v1.Resolved.verify|verify} messages.
             * @param message Resolved message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.Resolved.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Resolved message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.Resolved & paritas.v1.Resolved.$Shape} Resolved
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.Resolved & paritas.v1.Resolved.$Shape;
        }

        namespace Resolved {

            /** Properties of a Resolved. */
            interface $Properties {

                /** Resolved record */
                record?: string;

                /** Resolved pair */
                pair?: string;

                /** Resolved key */
                key?: paritas.v1.KeyColumn.$Properties[];

                /** Resolved window */
                window?: paritas.v1.WindowBounds.$Properties;

                /** Resolved manifestId */
                manifestId?: (string|null);

                /** Resolved chain */
                chain?: (number|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Resolved. */
            type $Shape = paritas.v1.Resolved.$Properties;
        }

        /**
         * Properties of a Schema.
         * @deprecated Use paritas.v1.Schema.$Properties instead.
         */
        interface ISchema extends paritas.v1.Schema.$Properties {
        }

        /** Represents a Schema. */
        class Schema {

            /**
             * Constructs a new Schema.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.Schema.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Schema record. */
            record: string;

            /** Schema pair. */
            pair: string;

            /** Schema side. */
            side: string;

            /** Schema column. */
            column: string;

            /** Schema window. */
            window: paritas.v1.WindowBounds;

            /** Schema detail. */
            detail: string;

            /** Schema chain. */
            chain: (number|null);

            /**
             * Encodes the specified Schema message. Does not implicitly {@link paritas.v1.Schema.verify|verify} messages.
             * @param message Schema message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.Schema.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Schema message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.Schema & paritas.v1.Schema.$Shape} Schema
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.Schema & paritas.v1.Schema.$Shape;
        }

        namespace Schema {

            /** Properties of a Schema. */
            interface $Properties {

                /** Schema record */
                record?: string;

                /** Schema pair */
                pair?: string;

                /** Schema side */
                side?: string;

                /** Schema column */
                column?: string;

                /** Schema window */
                window?: paritas.v1.WindowBounds.$Properties;

                /** Schema detail */
                detail?: string;

                /** Schema chain */
                chain?: (number|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Schema. */
            type $Shape = paritas.v1.Schema.$Properties;
        }

        /**
         * Properties of a Status.
         * @deprecated Use paritas.v1.Status.$Properties instead.
         */
        interface IStatus extends paritas.v1.Status.$Properties {
        }

        /** Represents a Status. */
        class Status {

            /**
             * Constructs a new Status.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.Status.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Status record. */
            record: string;

            /** Status pair. */
            pair: string;

            /** Status side. */
            side: string;

            /** Status topic. */
            topic: string;

            /** Status partition. */
            partition: number;

            /** Status watermark. */
            watermark: google.protobuf.Timestamp;

            /** Status lagMs. */
            lagMs: (Long|null);

            /** Status stalled. */
            stalled: boolean;

            /** Status reason. */
            reason: string;

            /** Status since. */
            since: (google.protobuf.Timestamp|null);

            /**
             * Encodes the specified Status message. Does not implicitly {@link paritas.v1.Status.verify|verify} messages.
             * @param message Status message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.Status.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Status message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.Status & paritas.v1.Status.$Shape} Status
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.Status & paritas.v1.Status.$Shape;
        }

        namespace Status {

            /** Properties of a Status. */
            interface $Properties {

                /** Status record */
                record?: string;

                /** Status pair */
                pair?: string;

                /** Status side */
                side?: string;

                /** Status topic */
                topic?: string;

                /** Status partition */
                partition?: number;

                /** Status watermark */
                watermark?: google.protobuf.Timestamp.$Properties;

                /** Status lagMs */
                lagMs?: (Long|null);

                /** Status stalled */
                stalled?: boolean;

                /** Status reason */
                reason?: string;

                /** Status since */
                since?: (google.protobuf.Timestamp.$Properties|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Status. */
            type $Shape = paritas.v1.Status.$Properties;
        }

        /**
         * Properties of a Task.
         * @deprecated Use paritas.v1.Task.$Properties instead.
         */
        interface ITask extends paritas.v1.Task.$Properties {
        }

        /** Represents a Task. */
        class Task {

            /**
             * Constructs a new Task.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.Task.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Task record. */
            record: string;

            /** Task pair. */
            pair: string;

            /** Task task. */
            task: string;

            /** Task state. */
            state: string;

            /** Task owner. */
            owner: string;

            /** Task since. */
            since: (google.protobuf.Timestamp|null);

            /** Task at. */
            at: (google.protobuf.Timestamp|null);

            /** Task restoring. */
            restoring: (paritas.v1.Restoring|null);

            /** Task recordsRead. */
            recordsRead: (Long|null);

            /** Task openWindows. */
            openWindows: (Long|null);

            /** Task eventsBuffered. */
            eventsBuffered: (Long|null);

            /** Task openDivergences. */
            openDivergences: (Long|null);

            /** Task chain. */
            chain: (number|null);

            /**
             * Encodes the specified Task message. Does not implicitly {@link paritas.v1.Task.verify|verify} messages.
             * @param message Task message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.Task.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Task message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.Task & paritas.v1.Task.$Shape} Task
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.Task & paritas.v1.Task.$Shape;
        }

        namespace Task {

            /** Properties of a Task. */
            interface $Properties {

                /** Task record */
                record?: string;

                /** Task pair */
                pair?: string;

                /** Task task */
                task?: string;

                /** Task state */
                state?: string;

                /** Task owner */
                owner?: string;

                /** Task since */
                since?: (google.protobuf.Timestamp.$Properties|null);

                /** Task at */
                at?: (google.protobuf.Timestamp.$Properties|null);

                /** Task restoring */
                restoring?: (paritas.v1.Restoring.$Properties|null);

                /** Task recordsRead */
                recordsRead?: (Long|null);

                /** Task openWindows */
                openWindows?: (Long|null);

                /** Task eventsBuffered */
                eventsBuffered?: (Long|null);

                /** Task openDivergences */
                openDivergences?: (Long|null);

                /** Task chain */
                chain?: (number|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Task. */
            type $Shape = paritas.v1.Task.$Properties;
        }

        /**
         * Properties of a Restoring.
         * @deprecated Use paritas.v1.Restoring.$Properties instead.
         */
        interface IRestoring extends paritas.v1.Restoring.$Properties {
        }

        /** Represents a Restoring. */
        class Restoring {

            /**
             * Constructs a new Restoring.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.Restoring.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Restoring done. */
            done: Long;

            /** Restoring total. */
            total: Long;

            /** Restoring recordsPerSecond. */
            recordsPerSecond: Long;

            /** Restoring remainingMs. */
            remainingMs: Long;

            /**
             * Encodes the specified Restoring message. Does not implicitly {@link paritas.v1.Restoring.verify|verify} messages.
             * @param message Restoring message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.Restoring.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Restoring message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.Restoring & paritas.v1.Restoring.$Shape} Restoring
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.Restoring & paritas.v1.Restoring.$Shape;
        }

        namespace Restoring {

            /** Properties of a Restoring. */
            interface $Properties {

                /** Restoring done */
                done?: Long;

                /** Restoring total */
                total?: Long;

                /** Restoring recordsPerSecond */
                recordsPerSecond?: Long;

                /** Restoring remainingMs */
                remainingMs?: Long;

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Restoring. */
            type $Shape = paritas.v1.Restoring.$Properties;
        }

        /**
         * Properties of a StoreChangelog.
         * @deprecated Use paritas.v1.StoreChangelog.$Properties instead.
         */
        interface IStoreChangelog extends paritas.v1.StoreChangelog.$Properties {
        }

        /** Represents a StoreChangelog. */
        class StoreChangelog {

            /**
             * Constructs a new StoreChangelog.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.StoreChangelog.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** StoreChangelog format. */
            format: number;

            /** StoreChangelog changes. */
            changes: paritas.v1.StoreChange[];

            /**
             * Encodes the specified StoreChangelog message. Does not implicitly {@link paritas.v1.StoreChangelog.verify|verify} messages.
             * @param message StoreChangelog message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.StoreChangelog.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a StoreChangelog message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.StoreChangelog & paritas.v1.StoreChangelog.$Shape} StoreChangelog
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.StoreChangelog & paritas.v1.StoreChangelog.$Shape;
        }

        namespace StoreChangelog {

            /** Properties of a StoreChangelog. */
            interface $Properties {

                /** StoreChangelog format */
                format?: number;

                /** StoreChangelog changes */
                changes?: paritas.v1.StoreChange.$Properties[];

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a StoreChangelog. */
            type $Shape = paritas.v1.StoreChangelog.$Properties;
        }

        /**
         * Properties of a StoreChange.
         * @deprecated Use paritas.v1.StoreChange.$Properties instead.
         */
        interface IStoreChange extends paritas.v1.StoreChange.$Properties {
        }

        /** Represents a StoreChange. */
        class StoreChange {

            /**
             * Constructs a new StoreChange.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.StoreChange.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** StoreChange family. */
            family: string;

            /** StoreChange key. */
            key: Uint8Array;

            /** StoreChange value. */
            value: (Uint8Array|null);

            /**
             * Encodes the specified StoreChange message. Does not implicitly {@link paritas.v1.StoreChange.verify|verify} messages.
             * @param message StoreChange message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.StoreChange.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a StoreChange message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.StoreChange & paritas.v1.StoreChange.$Shape} StoreChange
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.StoreChange & paritas.v1.StoreChange.$Shape;
        }

        namespace StoreChange {

            /** Properties of a StoreChange. */
            interface $Properties {

                /** StoreChange family */
                family?: string;

                /** StoreChange key */
                key?: Uint8Array;

                /** StoreChange value */
                value?: (Uint8Array|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a StoreChange. */
            type $Shape = paritas.v1.StoreChange.$Properties;
        }

        /**
         * Properties of a Verdict.
         * @deprecated Use paritas.v1.Verdict.$Properties instead.
         */
        interface IVerdict extends paritas.v1.Verdict.$Properties {
        }

        /** Represents a Verdict. */
        class Verdict {

            /**
             * Constructs a new Verdict.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.Verdict.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Verdict record. */
            record: string;

            /** Verdict verdictId. */
            verdictId: string;

            /** Verdict pair. */
            pair: string;

            /** Verdict window. */
            window: paritas.v1.WindowBounds;

            /** Verdict status. */
            status: string;

            /** Verdict change. */
            change: string;

            /** Verdict state. */
            state: string;

            /** Verdict confidence. */
            confidence: string;

            /** Verdict attribution. */
            attribution: string;

            /** Verdict policy. */
            policy: string;

            /** Verdict notObservable. */
            notObservable: string[];

            /** Verdict counts. */
            counts: paritas.v1.Counts;

            /** Verdict detailCut. */
            detailCut: (Long|null);

            /** Verdict watermarks. */
            watermarks: paritas.v1.SideTimes;

            /** Verdict evidence. */
            evidence: paritas.v1.Evidence[];

            /** Verdict digests. */
            digests: paritas.v1.SideDigests;

            /** Verdict decisionId. */
            decisionId: string;

            /** Verdict configHash. */
            configHash: string;

            /** Verdict previousVerdictHash. */
            previousVerdictHash: string;

            /** Verdict coreHash. */
            coreHash: string;

            /** Verdict evidenceHash. */
            evidenceHash: string;

            /** Verdict traceparent. */
            traceparent: (string|null);

            /** Verdict torn. */
            torn: paritas.v1.TornTransaction[];

            /** Verdict tornCut. */
            tornCut: (Long|null);

            /** Verdict chain. */
            chain: (number|null);

            /**
             * Encodes the specified Verdict message. Does not implicitly {@link paritas.v1.Verdict.verify|verify} messages.
             * @param message Verdict message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.Verdict.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Verdict message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.Verdict & paritas.v1.Verdict.$Shape} Verdict
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.Verdict & paritas.v1.Verdict.$Shape;
        }

        namespace Verdict {

            /** Properties of a Verdict. */
            interface $Properties {

                /** Verdict record */
                record?: string;

                /** Verdict verdictId */
                verdictId?: string;

                /** Verdict pair */
                pair?: string;

                /** Verdict window */
                window?: paritas.v1.WindowBounds.$Properties;

                /** Verdict status */
                status?: string;

                /** Verdict change */
                change?: string;

                /** Verdict state */
                state?: string;

                /** Verdict confidence */
                confidence?: string;

                /** Verdict attribution */
                attribution?: string;

                /** Verdict policy */
                policy?: string;

                /** Verdict notObservable */
                notObservable?: string[];

                /** Verdict counts */
                counts?: paritas.v1.Counts.$Properties;

                /** Verdict detailCut */
                detailCut?: (Long|null);

                /** Verdict watermarks */
                watermarks?: paritas.v1.SideTimes.$Properties;

                /** Verdict evidence */
                evidence?: paritas.v1.Evidence.$Properties[];

                /** Verdict digests */
                digests?: paritas.v1.SideDigests.$Properties;

                /** Verdict decisionId */
                decisionId?: string;

                /** Verdict configHash */
                configHash?: string;

                /** Verdict previousVerdictHash */
                previousVerdictHash?: string;

                /** Verdict coreHash */
                coreHash?: string;

                /** Verdict evidenceHash */
                evidenceHash?: string;

                /** Verdict traceparent */
                traceparent?: (string|null);

                /** Verdict torn */
                torn?: paritas.v1.TornTransaction.$Properties[];

                /** Verdict tornCut */
                tornCut?: (Long|null);

                /** Verdict chain */
                chain?: (number|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Verdict. */
            type $Shape = paritas.v1.Verdict.$Properties;
        }

        /**
         * Properties of a TornTransaction.
         * @deprecated Use paritas.v1.TornTransaction.$Properties instead.
         */
        interface ITornTransaction extends paritas.v1.TornTransaction.$Properties {
        }

        /** Represents a TornTransaction. */
        class TornTransaction {

            /**
             * Constructs a new TornTransaction.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.TornTransaction.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** TornTransaction transaction. */
            transaction: string;

            /** TornTransaction applied. */
            applied: Long;

            /** TornTransaction missing. */
            missing: Long;

            /** TornTransaction keys. */
            keys: paritas.v1.RowKey[];

            /** TornTransaction keysCut. */
            keysCut: (Long|null);

            /**
             * Encodes the specified TornTransaction message. Does not implicitly {@link paritas.v1.TornTransaction.verify|verify} messages.
             * @param message TornTransaction message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.TornTransaction.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a TornTransaction message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.TornTransaction & paritas.v1.TornTransaction.$Shape} TornTransaction
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.TornTransaction & paritas.v1.TornTransaction.$Shape;
        }

        namespace TornTransaction {

            /** Properties of a TornTransaction. */
            interface $Properties {

                /** TornTransaction transaction */
                transaction?: string;

                /** TornTransaction applied */
                applied?: Long;

                /** TornTransaction missing */
                missing?: Long;

                /** TornTransaction keys */
                keys?: paritas.v1.RowKey.$Properties[];

                /** TornTransaction keysCut */
                keysCut?: (Long|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a TornTransaction. */
            type $Shape = paritas.v1.TornTransaction.$Properties;
        }

        /**
         * Properties of a SideTimes.
         * @deprecated Use paritas.v1.SideTimes.$Properties instead.
         */
        interface ISideTimes extends paritas.v1.SideTimes.$Properties {
        }

        /** Represents a SideTimes. */
        class SideTimes {

            /**
             * Constructs a new SideTimes.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.SideTimes.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** SideTimes source. */
            source: google.protobuf.Timestamp;

            /** SideTimes target. */
            target: google.protobuf.Timestamp;

            /**
             * Encodes the specified SideTimes message. Does not implicitly {@link paritas.v1.SideTimes.verify|verify} messages.
             * @param message SideTimes message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.SideTimes.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a SideTimes message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.SideTimes & paritas.v1.SideTimes.$Shape} SideTimes
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.SideTimes & paritas.v1.SideTimes.$Shape;
        }

        namespace SideTimes {

            /** Properties of a SideTimes. */
            interface $Properties {

                /** SideTimes source */
                source?: google.protobuf.Timestamp.$Properties;

                /** SideTimes target */
                target?: google.protobuf.Timestamp.$Properties;

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a SideTimes. */
            type $Shape = paritas.v1.SideTimes.$Properties;
        }

        /**
         * Properties of a SideDigests.
         * @deprecated Use paritas.v1.SideDigests.$Properties instead.
         */
        interface ISideDigests extends paritas.v1.SideDigests.$Properties {
        }

        /** Represents a SideDigests. */
        class SideDigests {

            /**
             * Constructs a new SideDigests.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.SideDigests.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** SideDigests source. */
            source: string;

            /** SideDigests target. */
            target: string;

            /**
             * Encodes the specified SideDigests message. Does not implicitly {@link paritas.v1.SideDigests.verify|verify} messages.
             * @param message SideDigests message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.SideDigests.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a SideDigests message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.SideDigests & paritas.v1.SideDigests.$Shape} SideDigests
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.SideDigests & paritas.v1.SideDigests.$Shape;
        }

        namespace SideDigests {

            /** Properties of a SideDigests. */
            interface $Properties {

                /** SideDigests source */
                source?: string;

                /** SideDigests target */
                target?: string;

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a SideDigests. */
            type $Shape = paritas.v1.SideDigests.$Properties;
        }

        /**
         * Properties of an Evidence.
         * @deprecated Use paritas.v1.Evidence.$Properties instead.
         */
        interface IEvidence extends paritas.v1.Evidence.$Properties {
        }

        /** Represents an Evidence. */
        class Evidence {

            /**
             * Constructs a new Evidence.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.Evidence.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Evidence side. */
            side: string;

            /** Evidence topic. */
            topic: string;

            /** Evidence partition. */
            partition: number;

            /** Evidence fromOffset. */
            fromOffset: Long;

            /** Evidence toOffset. */
            toOffset: Long;

            /** Evidence tier. */
            tier: string;

            /**
             * Encodes the specified Evidence message. Does not implicitly {@link paritas.v1.Evidence.verify|verify} messages.
             * @param message Evidence message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.Evidence.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes an Evidence message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.Evidence & paritas.v1.Evidence.$Shape} Evidence
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.Evidence & paritas.v1.Evidence.$Shape;
        }

        namespace Evidence {

            /** Properties of an Evidence. */
            interface $Properties {

                /** Evidence side */
                side?: string;

                /** Evidence topic */
                topic?: string;

                /** Evidence partition */
                partition?: number;

                /** Evidence fromOffset */
                fromOffset?: Long;

                /** Evidence toOffset */
                toOffset?: Long;

                /** Evidence tier */
                tier?: string;

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of an Evidence. */
            type $Shape = paritas.v1.Evidence.$Properties;
        }

        /**
         * Properties of a Summary.
         * @deprecated Use paritas.v1.Summary.$Properties instead.
         */
        interface ISummary extends paritas.v1.Summary.$Properties {
        }

        /** Represents a Summary. */
        class Summary {

            /**
             * Constructs a new Summary.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.Summary.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Summary record. */
            record: string;

            /** Summary pair. */
            pair: string;

            /** Summary windows. */
            windows: paritas.v1.WindowCounts;

            /** Summary counts. */
            counts: paritas.v1.Counts;

            /** Summary lastVerdictHash. */
            lastVerdictHash: (string|null);

            /** Summary exitCode. */
            exitCode: number;

            /**
             * Encodes the specified Summary message. Does not implicitly {@link paritas.v1.Summary.verify|verify} messages.
             * @param message Summary message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.Summary.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Summary message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.Summary & paritas.v1.Summary.$Shape} Summary
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.Summary & paritas.v1.Summary.$Shape;
        }

        namespace Summary {

            /** Properties of a Summary. */
            interface $Properties {

                /** Summary record */
                record?: string;

                /** Summary pair */
                pair?: string;

                /** Summary windows */
                windows?: paritas.v1.WindowCounts.$Properties;

                /** Summary counts */
                counts?: paritas.v1.Counts.$Properties;

                /** Summary lastVerdictHash */
                lastVerdictHash?: (string|null);

                /** Summary exitCode */
                exitCode?: number;

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Summary. */
            type $Shape = paritas.v1.Summary.$Properties;
        }

        /**
         * Properties of a WindowCounts.
         * @deprecated Use paritas.v1.WindowCounts.$Properties instead.
         */
        interface IWindowCounts extends paritas.v1.WindowCounts.$Properties {
        }

        /** Represents a WindowCounts. */
        class WindowCounts {

            /**
             * Constructs a new WindowCounts.
             * @param [properties] Properties to set
             */
            constructor(properties?: paritas.v1.WindowCounts.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** WindowCounts parity. */
            parity: Long;

            /** WindowCounts diverged. */
            diverged: Long;

            /** WindowCounts undecidable. */
            undecidable: Long;

            /** WindowCounts open. */
            open: Long;

            /**
             * Encodes the specified WindowCounts message. Does not implicitly {@link paritas.v1.WindowCounts.verify|verify} messages.
             * @param message WindowCounts message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: paritas.v1.WindowCounts.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a WindowCounts message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {paritas.v1.WindowCounts & paritas.v1.WindowCounts.$Shape} WindowCounts
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): paritas.v1.WindowCounts & paritas.v1.WindowCounts.$Shape;
        }

        namespace WindowCounts {

            /** Properties of a WindowCounts. */
            interface $Properties {

                /** WindowCounts parity */
                parity?: Long;

                /** WindowCounts diverged */
                diverged?: Long;

                /** WindowCounts undecidable */
                undecidable?: Long;

                /** WindowCounts open */
                open?: Long;

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a WindowCounts. */
            type $Shape = paritas.v1.WindowCounts.$Properties;
        }
    }
}

/** Namespace google. */
export namespace google {

    /** Namespace protobuf. */
    namespace protobuf {

        /**
         * Properties of a Timestamp.
         * @deprecated Use google.protobuf.Timestamp.$Properties instead.
         */
        interface ITimestamp extends google.protobuf.Timestamp.$Properties {
        }

        /** Represents a Timestamp. */
        class Timestamp {

            /**
             * Constructs a new Timestamp.
             * @param [properties] Properties to set
             */
            constructor(properties?: google.protobuf.Timestamp.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Timestamp seconds. */
            seconds: Long;

            /** Timestamp nanos. */
            nanos: number;

            /**
             * Encodes the specified Timestamp message. Does not implicitly {@link google.protobuf.Timestamp.verify|verify} messages.
             * @param message Timestamp message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: google.protobuf.Timestamp.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Timestamp message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {google.protobuf.Timestamp & google.protobuf.Timestamp.$Shape} Timestamp
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.protobuf.Timestamp & google.protobuf.Timestamp.$Shape;
        }

        namespace Timestamp {

            /** Properties of a Timestamp. */
            interface $Properties {

                /** Timestamp seconds */
                seconds?: Long;

                /** Timestamp nanos */
                nanos?: number;

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Timestamp. */
            type $Shape = google.protobuf.Timestamp.$Properties;
        }
    }
}
