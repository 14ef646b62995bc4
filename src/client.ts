/**
 * `zotui/client`: the typed client of `zot rpc`, for programs of others. Nothing of the terminal program comes along.
 *
 * - `launchZot` and `createZotClient`: zot's own words, a request and its reply at a time.
 * - `createZotBackend`: the same with the rules of talking to zot kept, told in the events that zotui is made of.
 * - `parseRecording` and `createReplayBackend`: what `zotui --record` wrote.
 */
export type { Backend, Memory, Model, Prompt, PromptImage, Reply, StartOptions } from './agent/backend.ts'
export { agentEventSchema } from './agent/event-schema.ts'
export type { AgentEvent, AnswerContent, Content, Stop, Usage } from './agent/event.ts'
export { createMemoryPair } from './wire/memory.ts'
export type { FarEnd } from './wire/memory.ts'
export { createProcessTransport } from './wire/process.ts'
export type { ProcessOptions } from './wire/process.ts'
export type { Ending, Transport } from './wire/transport.ts'
export { createZotBackend } from './zot/backend.ts'
export type { ZotBackendOptions } from './zot/backend.ts'
export { createZotClient } from './zot/client.ts'
export type { ClientReply, ZotClient, ZotClientOptions } from './zot/client.ts'
export { PROTOCOL_VERSION, replyData } from './zot/command.ts'
export type { Command, CommandType, ReplyData } from './zot/command.ts'
export { decode } from './zot/frame.ts'
export type { Frame, Response, ZotEvent } from './zot/frame.ts'
export { launchZot } from './zot/launch.ts'
export type { Launch } from './zot/launch.ts'
export { locateZot, zotVersion } from './zot/locate.ts'
export type { Located } from './zot/locate.ts'
export type { ZotOptions } from './zot/options.ts'
export { createRecorder } from './zot/record.ts'
export type { RecorderOptions } from './zot/record.ts'
export { parseRecording, wireLine } from './zot/recording.ts'
export type { RecordedLine, Recording } from './zot/recording.ts'
export { createReplayBackend } from './zot/replay.ts'
export type { ReplayBackend, ReplayPace } from './zot/replay.ts'
export { translate } from './zot/translate.ts'
