import { expect, test } from 'vitest'
import { parseModelList } from '../../../src/agents/zot/model-list.ts'

test("the table of zot's models has their names for people, which some do not have", () => {
  const table = `provider   model id                       context  max-out  reasoning  source        name
anthropic  claude-sonnet-4-5                200000    64000     ✓        catalog       Claude Sonnet 4.5 (latest)
openai     gpt-a-very-long-id-beyond-its-column 0    0              user          My own model
local      plain                            32000     4096               user
`
  expect(parseModelList(table)).toEqual([
    {
      id: 'claude-sonnet-4-5',
      provider: 'anthropic',
      name: 'Claude Sonnet 4.5 (latest)',
      contextWindow: 200_000,
      maxOutput: 64_000,
      reasoning: true,
    },
    {
      id: 'gpt-a-very-long-id-beyond-its-column',
      provider: 'openai',
      name: 'My own model',
      contextWindow: null,
      maxOutput: null,
      reasoning: false,
    },
    { id: 'plain', provider: 'local', contextWindow: 32_000, maxOutput: 4096, reasoning: false },
  ])
})
