/** The words of `--agent 'meerkat ...'`, for this machine and others. */
import { readMeerkatWords, type MeerkatWords } from '../../../../src/agents/meerkat/program.ts'
import { UserError } from '../../../../src/platform/errors.ts'
import { sentence } from '../../../../src/text/sentence.ts'
import type { Arguments } from '../../../cli/argument-types.ts'

/** @throws UserError for words that cannot be read, and where they would let it run something without asking. */
export function readMeerkat(words: string, { noGuard }: Pick<Arguments, 'noGuard'>): MeerkatWords {
  const read = readMeerkatWords(words)
  if (!read.ok) throw new UserError(sentence(read.reason), sentence(read.hint), 2)
  const { shell, builtins } = read.value.flags
  if ((shell || builtins) && !noGuard)
    throw new UserError(
      "Meerkat's own shell and tools run without asking.",
      'Omit --shell and --builtins, so that zotui runs its own tools and asks; or add --no-guard.',
      2,
    )
  return read.value
}
