import { makeEventSchema } from './event.ts'

/** The schema of all events, for readers of `--json` and of session files. */
export const agentEventSchema: ReturnType<typeof makeEventSchema> = makeEventSchema()
