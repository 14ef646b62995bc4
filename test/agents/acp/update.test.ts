/** Parts that are read without a schema: they must give what a schema gives. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readUpdate } from '../../../src/agents/acp/frame.ts'
import { readCommands } from '../../../src/agents/acp/session/commands.ts'
import { BackgroundTasks } from '../../../src/agents/acp/tasks/background.ts'
import { Translation } from '../../../src/agents/acp/translate.ts'
import { readMeta } from '../../../src/agents/acp/turn/call-result.ts'
import { list, text } from '../../../src/agents/transport/lenient.ts'
import { inheritedNames } from '../../helpers/inherited-names.ts'

const anything = fc.jsonValue({ maxDepth: 1 })

/** Mostly the value that is meant, else anything that JSON can say. */
const mostly = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: anything })

/** An object of these fields, each of which may be absent, with others now and then, as it is after a way through JSON. */
const fields = (usual: Record<string, fc.Arbitrary<unknown>>) => {
  const values = Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, mostly(value)]))
  const some = fc.record(values, { requiredKeys: [] })
  const others = fc.dictionary(fc.constantFrom(...inheritedNames, 'annotations', 'mimeType', 'title', 'x'), anything)
  return fc
    .tuple(fc.oneof({ weight: 4, arbitrary: fc.record(values) }, some), fc.option(others, { freq: 2, nil: {} }))
    .map(([own, more]): unknown => JSON.parse(JSON.stringify({ ...more, ...own })))
}

const commandSchema = list(
  z.object({ name: z.string(), description: text, input: z.object({ hint: text }).nullish().catch(null) }),
)
const command = fields({
  name: fc.string(),
  description: fc.string({ maxLength: 300 }),
  input: fc.option(fields({ hint: fc.string() })),
})

test('a list of commands reads the same with and without the schema', () => {
  fc.assert(
    fc.property(mostly(fc.array(mostly(command))), value => {
      const wanted = commandSchema.parse(value).map(({ name, description, input }) => {
        const hint = input?.hint || undefined
        return { name, description, hint }
      })
      expect(readCommands(value)).toEqual(wanted)
    }),
  )
})

const descriptionOf = (description: string) => readCommands([{ name: 'a', description }])[0]?.description

test('a long list of commands keeps the first ones, each with the first whole words of its description', () => {
  const word = 'sk-abcdefgh'
  const long = Array.from({ length: 5000 }, (_, name) => ({
    name: String(name),
    description: `${'a'.repeat(name % 13)} ${`${word} `.repeat(60)}`,
  }))
  const kept = readCommands(long)
  expect(kept).toHaveLength(2000)
  for (const { description } of kept) {
    expect(description.length).toBeGreaterThan(280)
    expect(description.length).toBeLessThanOrEqual(300)
    expect(description.endsWith(word)).toBe(true)
  }
  expect(descriptionOf('命'.repeat(500))).toBe('命'.repeat(300))
  expect(descriptionOf('😀'.repeat(500))?.isWellFormed()).toBe(true)
  expect(descriptionOf(`${'命'.repeat(295)}${word}`)).toBe('命'.repeat(295))
})

test('a repeated list of commands emits no event', () => {
  const translation = new Translation({
    newId: () => 'id',
    costBefore: 0,
    known: { meaning: () => undefined, chosen: new Map() },
    count: usage => usage,
    quirks: {},
    background: new BackgroundTasks(() => 's1', true),
    mayBeginTurn: () => false,
    folder: '/',
  })
  const tell = (names: readonly string[]) => {
    const availableCommands = names.map(name => ({ name, description: 'about', input: null }))
    const read = readUpdate({
      sessionId: 's',
      update: { sessionUpdate: 'available_commands_update', availableCommands },
    })
    if (!read) throw new Error('it is not read')
    return translation.update(read.update, 0)
  }
  expect(tell(['a', 'b'])).toHaveLength(1)
  expect(tell(['a', 'b'])).toEqual([])
  expect(tell(['a'])).toHaveLength(1)
})

const number = z.number().optional().catch(undefined)
const words = z.string().optional().catch(undefined)
const metaSchema = z.object({
  terminal_output_delta: z.object({ data: z.string() }).optional().catch(undefined),
  terminal_exit: z.object({ exit_code: number }).optional().catch(undefined),
  toolName: words,
  claudeCode: z.object({ toolName: words, parentToolUseId: words }).optional().catch(undefined),
})
const meta = fields({
  terminal_output_delta: fields({ data: fc.string() }),
  terminal_exit: fields({ exit_code: fc.integer() }),
  toolName: fc.string(),
  claudeCode: fields({ toolName: fc.string(), parentToolUseId: fc.string() }),
})

test('the facts of a call beyond the protocol read the same with and without the schema', () => {
  fc.assert(
    fc.property(mostly(meta), value => {
      const { data } = metaSchema.safeParse(value)
      expect(readMeta(value)).toEqual({
        output: data?.terminal_output_delta?.data ?? '',
        exitCode: data?.terminal_exit?.exit_code ?? null,
        toolName: data?.claudeCode?.toolName ?? data?.toolName ?? null,
        parent: data?.claudeCode?.parentToolUseId ?? null,
      })
    }),
  )
})
