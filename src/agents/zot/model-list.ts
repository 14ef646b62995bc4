/** Reads the table that `zot --list-models` prints: the models of every provider (docs/zot-protocol.md, 29). Pure. */
import type { Model } from '../../agent/backend.ts'

/** Provider, id, context, longest answer, and a tick for reasoning; source and name follow. Ids may be wider than their column. */
const ROW =
  /^(?<provider>\S+)\s+(?<id>\S+)\s+(?<context>\d+)\s+(?<output>\d+)(?<tick>\s+✓)?\s+\S+(?:\s+(?<name>\S.*))?/u

/** Returns the rows in their order, without other lines such as the titles. */
export function parseModelList(table: string): Model[] {
  return table.split('\n').flatMap(line => {
    const { provider, id, context, output, tick, name = '' } = ROW.exec(line)?.groups ?? {}
    if (provider === undefined || id === undefined) return []
    return [
      {
        id,
        provider,
        ...(name.trim() !== '' && { name: name.trim() }),
        // zot prints 0 for an unknown size.
        contextWindow: Number(context) || null,
        maxOutput: Number(output) || null,
        reasoning: tick !== undefined,
      },
    ]
  })
}
