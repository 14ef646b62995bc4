/** Asks zot, before it starts, whether it knows the provider that it is to start with. */
import type { AgentChoice } from '../../../../src/agents/index.ts'
import { zotProviders } from '../../../../src/agents/zot/program/models.ts'
import { hintForProvider } from '../../../../src/agents/zot/program/provider-name.ts'
import { parseModelList } from '../../../../src/agents/zot/model-list.ts'
import type { SettingsStore } from '../../../../src/config/settings.ts'
import { UserError } from '../../../../src/platform/errors.ts'
import { quotedWord } from '../../../../src/platform/shell/quoting.ts'
import { sentence } from '../../../../src/text/sentence.ts'

/** The time for the list, in milliseconds: a zot that does not answer starts unchecked, and warns where it uses another provider. */
const LIMIT = 3000

/** @throws UserError if zot does not know the provider of the command line or the settings. Other agents have no such option. */
export async function checkProvider(choice: AgentChoice, settings: Pick<SettingsStore, 'sourceOf'>): Promise<void> {
  if (choice.agent !== 'zot' && choice.agent !== 'remote-zot') return
  const { provider } = choice.options
  if (provider === undefined) return
  const hint = hintForProvider(provider, await providersOf(choice))
  if (hint === null) return
  const { kind, place } = settings.sourceOf('provider')
  const where = kind === 'flag' ? '--provider' : place
  throw new UserError(`zot knows no provider "${provider}" (${where}).`, sentence(hint), 2)
}

async function providersOf(choice: Extract<AgentChoice, { agent: 'zot' | 'remote-zot' }>): Promise<string[]> {
  if (choice.agent === 'zot') return zotProviders(choice.path, choice.env, LIMIT)
  const { machine, survey } = choice.zot
  const answer = await machine.ask(`${quotedWord(survey.zot)} --list-models`, { limit: LIMIT })
  return answer.ok && answer.code === 0
    ? parseModelList(answer.bytes.toString('utf8')).map(model => model.provider)
    : []
}
