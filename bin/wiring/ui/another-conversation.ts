/** Makes the conversations after the first one. */
import { resolve } from 'node:path'
import type { NewConversation } from '../../../src/app/context/conversations.ts'
import { folderLabel, gitBranch } from '../../../src/platform/project.ts'
import type { ProgramOptions } from '../../../src/program/conversations.ts'
import { initialState } from '../../../src/state/state.ts'
import { createStore } from '../../../src/state/store.ts'
import { orReason } from '../start/or-reason.ts'
import { permissionOptions } from '../start/permissions.ts'
import { makeConversation, type ConversationParts } from './make-conversation.ts'

/** A new one has the theme and the permission mode of the one that is shown. */
export function createConversationMaker(parts: ConversationParts): ProgramOptions['make'] {
  const { options, program, now } = parts
  const { home, settings, demo, remote } = options
  let last = 1
  return ({ folder: wanted, agent, mode }: NewConversation) =>
    orReason(async () => {
      if (!options.openAgent) return { ok: false, message: 'there is no other conversation here' }
      const { store: shown, folder: here } = program.shown()
      const folder = resolve(wanted ?? here)
      const [opened, permissions] = await Promise.all([
        options.openAgent({ agent, folder }),
        permissionOptions({ settings, folder, home, demo, remote }),
      ])
      const { startup, themes, detail, chat } = shown.get()
      const place = remote
        ? { folder: remote.label, branch: remote.survey.branch }
        : { folder: folderLabel(folder, home), branch: gitBranch(folder) }
      last += 1
      const state = initialState({ ...startup, ...place, conversation: last }, now(), themes, detail)
      const begin = mode ?? chat.permissionMode ?? undefined
      const start = { ...opened, store: createStore(state), folder, permissions, mode: begin }
      return { ok: true, value: makeConversation(parts, start) }
    })
}
