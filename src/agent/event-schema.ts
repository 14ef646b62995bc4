import { makeEventSchema } from './event.ts'

/** The schema of all events, for who reads them as JSON. */
export const agentEventSchema: ReturnType<typeof makeEventSchema> = makeEventSchema()
