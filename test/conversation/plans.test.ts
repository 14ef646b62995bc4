/** The agent's list of steps in the conversation. */
import { expect, test } from 'vitest'
import type { PlanEntry } from '../../src/agent/turn-events.ts'
import { currentPlan } from '../../src/conversation/queries/current-plan.ts'
import { accepted, chatAfter, ended, prompt, step, turnOf, type Told } from './events.ts'

const begun: readonly Told[] = [prompt('go'), accepted, step(1)]
const plan = (...states: readonly PlanEntry['status'][]): Told => ({
  type: 'plan_changed',
  entries: states.map((status, at) => ({ text: `item ${at}`, status })),
})
const statesIn = (entries: readonly PlanEntry[] = []): string[] => entries.map(({ status }) => status)
const shown = (...told: readonly Told[]): string[] => statesIn(currentPlan(chatAfter(...told)) ?? [])

test('A list that is done when it is first reported is no plan', () => {
  const told = [...begun, plan('completed', 'completed')]
  expect(shown(...told)).toEqual([])
  expect(turnOf(...told).plan).toEqual([])
  expect(shown(...told, ended)).toEqual([])
})

test('The list is a plan from the first step that is not done', () => {
  const told = [...begun, plan('completed'), plan('completed', 'in_progress')]
  expect(shown(...told)).toEqual(['completed', 'in_progress'])
  expect(shown(...told, plan('completed', 'completed'))).toEqual(['completed', 'completed'])
})

test('The list goes with its turn', () => {
  const told = [...begun, plan('completed', 'pending')]
  expect(shown(...told)).toEqual(['completed', 'in_progress'])
  expect(shown(...told, ended)).toEqual([])
  expect(shown(...told, ended, ...begun)).toEqual([])
})

test('A list that is done ends what the turn before has left undone', () => {
  const told = [...begun, plan('completed', 'pending'), ended, ...begun]
  expect(shown(...told, plan('completed', 'completed'))).toEqual(['completed', 'completed'])
})
