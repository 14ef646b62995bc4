import type { Model } from '../../agent/backend.ts'
import { inUse, type ArgumentChoice } from '../../state/completion/argument-completer.ts'
import { isNamedBy, modelName } from '../../state/pickers/model-order.ts'
import type { AppState } from '../../state/state.ts'
import { formatTokens } from '../../text/format.ts'
import { lastMade } from '../../text/last-made.ts'
import { slashCommand } from '../slash-command.ts'

export const model = slashCommand({
  name: 'model',
  aliases: ['models'],
  argument: '[id]',
  completes: { choices: modelChoices, load: sources => void sources.models(), none: noModel },
  help: 'switch the model',
  group: 'agent',
  abilities: ['setModel'],
  needsIdle: true,
  opensList: argument => argument === '',
  run: ({ turns: { models } }, argument) => (argument === '' ? models.pick() : models.use(argument)),
})

/** Another provider needs a restart of the agent: its models are offered only if their names contain the query. */
function modelChoices({ models, chat }: AppState, query: string): readonly ArgumentChoice[] {
  if (models === null) return []
  const { provider, model: used } = chat.agent
  return choicesOfModels(models, JSON.stringify([provider, used, query]), () => {
    const isOnly = (id: string): boolean => id === query && models.filter(each => each.id === id).length === 1
    return models.flatMap(model => {
      const isOwn = model.provider === provider
      if (!isOwn && !isNamedBy(model, query)) return []
      const known = isOwn ? [inUse(model.id, used), provider] : [model.hasKey === false ? 'no key' : '']
      const facts = [...known, windowOf(model)]
      const label = isOwn ? model.id : modelName(model)
      return [
        {
          label,
          detail: facts.filter(part => part !== '').join('  '),
          sends: isOwn || label === query || isOnly(model.id),
        },
      ]
    })
  })
}

function noModel({ models, startup }: AppState): string | null {
  if (models === null) return null
  const other = startup.demo ? '' : ' One that is not listed: /restart --provider NAME --model ID'
  return `No model matches.${other}`
}

const choicesOfModels = lastMade<readonly ArgumentChoice[]>()

function windowOf({ contextWindow }: Model): string {
  return contextWindow === null ? '' : formatTokens(contextWindow)
}
