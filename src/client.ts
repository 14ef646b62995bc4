/**
 * `zotui/client`: the typed client of `zot rpc`, for other programs. It includes nothing of the terminal program.
 *
 * - `launchZot` and `createZotClient`: zot's own protocol: requests, and their replies by id.
 * - `createZotBackend`: the same, but it enforces the rules of the protocol and emits the events that zotui itself uses.
 * - `createRecorder` and `parseRecording`: write and read recordings such as those of `zotui --record`.
 */
export type { Backend, Memory, Model, Prompt, PromptImage, Reply, StartOptions } from './agent/backend.ts'
export { agentEventSchema } from './agent/event-schema.ts'
export type { AgentEvent, AnswerContent, Content, Stop, Usage } from './agent/event.ts'
export { createMemoryPair } from './agents/transport/memory-pair.ts'
export type { FarEnd } from './agents/transport/memory-pair.ts'
export { createProcessTransport } from './agents/transport/process.ts'
export type { ProcessOptions } from './agents/transport/process.ts'
export type { Ending, Transport } from './agents/transport/transport.ts'
export { createZotBackend } from './agents/zot/backend.ts'
export type { ZotBackendOptions } from './agents/zot/backend.ts'
export { createZotClient } from './agents/zot/client.ts'
export type { ClientReply, ZotClient, ZotClientOptions } from './agents/zot/client.ts'
export { PROTOCOL_VERSION, replyData } from './agents/zot/command.ts'
export type { WireCommand as Command, CommandType, ReplyData } from './agents/zot/command.ts'
export { decode } from './agents/zot/decode.ts'
export type { WireFrame as Frame, Response, ZotEvent } from './agents/zot/frame.ts'
export { launchZot } from './agents/zot/program/zot-process.ts'
export type { Launch } from './agents/zot/program/zot-process.ts'
export { locateZot } from './agents/zot/program/locate.ts'
export type { LocatedZot as Located } from './agents/zot/program/locate.ts'
export { zotVersion } from './agents/zot/program/models.ts'
export type { ZotOptions } from './agents/zot/program/options.ts'
export { createRecorder } from './agents/recording/record.ts'
export type { RecorderOptions } from './agents/recording/record.ts'
export { parseRecording, wireLine } from './agents/recording/recording.ts'
export type { RecordedLine, Recording } from './agents/recording/recording.ts'
export { translate } from './agents/zot/translate.ts'
