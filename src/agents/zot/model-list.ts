/** The table that `zot --list-models` prints: the models of every provider (docs/zot-protocol.md, 29). Pure. */
import type { Model } from '../../agent/backend.ts'

/** Provider, id, context, longest answer, a tick where it reasons; source and name follow. Ids may be wider than their column. */
const ROW = /^(?<provider>\S+)\s+(?<id>\S+)\s+(?<context>\d+)\s+(?<output>\d+)(?<tick>\s+✓)?\s+\S/u

/** The rows in their order; lines that are none, such as the titles, are left out. */
export function parseModelList(table: string): Model[] {
  return table.split('\n').flatMap(line => {
    const { provider, id, context, output, tick } = ROW.exec(line)?.groups ?? {}
    if (provider === undefined || id === undefined) return []
    return [
      {
        id,
        provider,
        // zot says 0 where it does not know a size.
        contextWindow: Number(context) || null,
        maxOutput: Number(output) || null,
        reasoning: tick !== undefined,
      },
    ]
  })
}
