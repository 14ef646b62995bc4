/** A conversation whose agent asks, and devices that answer. */
import { vi } from 'vitest'
import type { FormValues } from '../../../src/agent/session-events.ts'
import type { PermissionMode } from '../../../src/agent/permission.ts'
import type { PermissionAnswer, Steer, SteerOutcome } from '../../../src/agent/requests.ts'
import { noRules } from '../../../src/app/permissions/judge.ts'
import { QUIET } from '../../../src/app/permissions/panel.ts'
import type { OutsideRequests } from '../../../src/published/conversation.ts'
import type { Device, OutsideCall, OutsideReply } from '../../../src/published/outside-call.ts'
import type { Told } from '../../conversation/events.ts'
import { place } from '../../permissions/policy.ts'
import type { FakeBackend } from '../fake-backend.ts'
import { startedStage, type Stage, type StageParts } from '../stage.ts'

export const phone: Device = { id: 'd1', name: 'Pixel 8', role: 'steer' }

export const call = (id: string, command = `make ${id}`): Extract<Told, { type: 'permission_requested' }> => ({
  type: 'permission_requested',
  id,
  callId: null,
  tool: 'bash',
  kind: 'command',
  command,
  arguments: {},
  folder: place.folder,
  because: '',
})

/** A request without its id, which `ask` makes. */
export type Asked = OutsideCall extends infer Each ? (Each extends OutsideCall ? Omit<Each, 'id'> : never) : never

export type OutsideStage = Stage & {
  requests: OutsideRequests
  /** What the agent got as answers, and as words to its turn. */
  given: { id: string; answer: PermissionAnswer }[]
  filled: { id: string; values: FormValues | null }[]
  steered: Steer[]
  /** The person at the terminal was asked whether a device may send prompts. */
  wanted: string[]
  ask: (asked: Asked, device?: Device) => Promise<OutsideReply>
  /** Answers the question of this number as it is shown. */
  answer: (at: number, allow: boolean, words?: string) => Promise<OutsideReply>
  /** What the composer's question waits for: no key for a moment. */
  quiet: () => Promise<void>
}

export async function outsideStage({
  mode = 'ask',
  says = false,
  make = backend => backend,
  parts = {},
}: {
  mode?: PermissionMode
  /** The answer of the person to prompts in a mode that does not ask. */
  says?: boolean
  make?: (backend: FakeBackend) => FakeBackend
  parts?: StageParts
} = {}): Promise<OutsideStage> {
  const given: OutsideStage['given'] = []
  const filled: OutsideStage['filled'] = []
  const steered: Steer[] = []
  const wanted: string[] = []
  const timers: { ms: number; run: () => void }[] = []
  let count = 0
  const stage = await startedStage(
    backend => {
      const answers = {
        judgeWith: () => undefined,
        setPermissionMode: (next: PermissionMode) => backend.tell({ type: 'permission_mode_changed', mode: next }),
        answerPermission(id: string, answer: PermissionAnswer) {
          given.push({ id, answer })
          backend.tell({ type: 'permission_decided', id, allowed: answer.answer === 'allow', by: 'user' })
        },
        answerQuestion(id: string, values: FormValues | null) {
          filled.push({ id, values })
          backend.tell({ type: 'question_answered', id, answer: values === null ? 'declined' : 'given' })
        },
        async steer(steer: Steer): Promise<SteerOutcome> {
          steered.push(steer)
          const { text, from } = steer.prompt
          backend.tell({ type: 'steer_delivered', id: steer.id, text, images: [], ...(from !== undefined && { from }) })
          return { how: 'delivered' }
        },
      }
      return make(backend.with(answers))
    },
    {
      permissions: { start: { mode, isChosen: true, remember: null }, place, store: noRules },
      serving: {
        newSecret: () => '',
        answer: () => undefined,
        mayPrompt({ device, mode: asked }) {
          wanted.push(`${device.name} ${asked}`)
          return says
        },
      },
      after: (ms, run) => {
        timers.push({ ms, run })
        return () => undefined
      },
      ...parts,
    },
  )
  const requests = await stage.controller.outside?.()
  if (!requests) throw new Error('nothing may be asked')
  await stage.settle()
  const ask: OutsideStage['ask'] = async (asked, device = phone) => {
    count += 1
    const reply = await requests.carryOut({ ...asked, id: `r${count}` }, device, false)
    await stage.settle()
    return reply
  }
  return {
    ...stage,
    requests,
    given,
    filled,
    steered,
    wanted,
    ask,
    async answer(at, allow, words) {
      const question = requests.questions()[at]
      if (!question) throw new Error('no such question')
      const { id, digest } = question
      return ask({ do: 'answer_call', question: id, digest, allow, ...(words !== undefined && { words }) })
    },
    async quiet() {
      stage.clock.now += QUIET
      timers.findLast(({ ms }) => ms === QUIET)?.run()
      await stage.settle()
    },
  }
}

/** The agent asks about these calls, and the person has had time to read them. */
export async function askedAbout(stage: OutsideStage, ...calls: readonly Told[]): Promise<void> {
  stage.backend.tell(...calls)
  await vi.waitFor(() => expectQuestion(stage))
  await stage.quiet()
}

function expectQuestion(stage: OutsideStage): void {
  if (stage.state().question === null) throw new Error('nothing is asked')
}
