/**
 * The settings of a repository with which a reading git command starts no program and reads no other file: a list of those that are
 * harmless, and of those that are overridden for one command. Any other one needs the user's answer.
 */
import { wordSet } from '../../text/word-list.ts'
import { SWITCHES, type ConfigPair } from './switches.ts'

/** The effect of a setting on a reading command: settings that make it harmless, a partial clone, or a reason to ask. */
export type SettingEffect = { override: readonly ConfigPair[]; isPartial?: true } | 'asks'

/**
 * Sections whose settings, whatever they are, are for what no reading command does (to commit, to merge, to fetch, to sign, to ask for
 * a password), or only choose what is shown. Transports are off.
 */
const sections = wordSet(`
  add advice alias am apply author bitmappseudomerge branch browser bundle checkout clean clone color column commit commitgraph
  committer completion credential credentialcache credentialstore difftool fastimport feature fetch format fsck gc gerrit git-town
  gitcvs gitflow github gitlab gitreview gitweb grep gui guitool help http https hub i18n imap index init instaweb interactive log
  lsrefs mailinfo maintenance man merge mergetool notes pack pager pretty promisor protocol pull push rebase receive reftable remote
  remotes repack replay rerere revert safe sendemail sequence showbranch sparse splitindex ssh stash status svn svn-remote tag tar
  trailer transfer uploadarchive uploadpack uploadpackfilter url user versionsort web worktree`)

/** Single settings of other sections. A star stands for the name in the middle: `diff.*.xfuncname`. */
const keys = wordSet(`
  attr.tree
  blame.blankboundary blame.coloring blame.date blame.markignoredlines blame.markunblamablelines blame.showemail blame.showroot
  core.abbrev core.autocrlf core.bigfilethreshold core.checkroundtripencoding core.checkstat core.commentchar core.commentstring
  core.commitgraph core.compression core.configlocktimeout core.createobject core.deltabasecachelimit core.eol core.excludesfile
  core.filemode core.filesreflocktimeout core.fscache core.fsmonitorhookversion core.fsync core.fsyncmethod core.fsyncobjectfiles
  core.hidedotfiles core.ignorecase core.ignorestat core.lockfilepid core.logallrefupdates core.longpaths core.loosecompression
  core.maxtreedepth core.multipackindex core.notesref core.packedgitlimit core.packedgitwindowsize core.packedrefstimeout
  core.precomposeunicode core.prefersymlinkrefs core.preloadindex core.protecthfs core.protectntfs core.quotepath
  core.repositoryformatversion core.safecrlf core.sharedrepository core.sparsecheckout core.sparsecheckoutcone core.splitindex
  core.symlinks core.trustctime core.untrackedcache core.usereplacerefs core.warnambiguousrefs core.whitespace
  diff.*.algorithm diff.*.binary diff.*.funcname diff.*.wordregex diff.*.xfuncname diff.algorithm diff.autorefreshindex diff.colormoved
  diff.colormovedws diff.context diff.dirstat diff.dstprefix diff.guitool diff.indentheuristic diff.interhunkcontext diff.mnemonicprefix
  diff.noindex diff.noprefix diff.relative diff.renamelimit diff.renames diff.srcprefix diff.statgraphwidth diff.statnamewidth
  diff.suppressblankempty diff.tool diff.wordregex diff.wserrorhighlight
  extensions.compatobjectformat extensions.noop extensions.objectformat extensions.preciousobjects extensions.refstorage
  extensions.relativeworktrees extensions.worktreeconfig
  gpg.format gpg.mintrustlevel
  include.path
  includeif.*.path
  lfs.*.access lfs.*.locksverify lfs.fetchexclude lfs.fetchinclude lfs.locksverify lfs.repositoryformatversion lfs.url
  mailmap.blob
  submodule.*.active submodule.*.branch submodule.*.fetchrecursesubmodules submodule.*.shallow submodule.*.update submodule.*.url
  submodule.active submodule.alternateerrorstrategy submodule.alternatelocation submodule.fetchjobs submodule.propagatebranches`)

/** Settings of a partial clone, which fetches objects when it needs them. */
const partial = new Set(['extensions.partialclone', 'remote.*.promisor', 'remote.*.partialclonefilter'])

/** Settings that have another value for each git of ours and each reading one. */
const switched = new Set(SWITCHES.map(([key]) => key.toLowerCase()))

/** Settings with which a reading command starts a program or reads another file, and the settings that make it do neither. */
const overridden = new Map<string, (key: string, value: string) => readonly ConfigPair[]>([
  ['blame.ignorerevsfile', key => [[key, '']]],
  ['diff.*.cachetextconv', key => [[key, 'false']]],
  ['diff.*.textconv', key => [[key, 'cat']]],
  // git does not look into the submodule. The repository's setting wins over that in `.gitmodules`.
  ['submodule.*.ignore', (key, value) => (/^(?:dirty|all)$/.test(value) ? [] : [[key, 'dirty']])],
])

/** The effect of one setting of a repository, with the key as git lists it: section and last name in lower case. */
export function effectOf([key, value]: ConfigPair): SettingEffect {
  const [, section = '', name, last = ''] = /^([^.]*)\.(?:(.*)\.)?([^.]*)$/s.exec(key) ?? []
  const general = name === undefined ? `${section}.${last}` : `${section}.*.${last}`
  if (switched.has(general)) return { override: [] }
  if (partial.has(general)) return { override: [], isPartial: true }
  if (general === 'core.bare') return value.toLowerCase() === 'false' ? { override: [] } : 'asks'
  // `repository.ts` has checked that the repository belongs to this working tree.
  if (general === 'core.worktree') return { override: [] }
  const override = overridden.get(general)
  if (override) return { override: override(key, value) }
  if (section === 'hook') return { override: name === undefined ? [] : [[`hook.${name}.enabled`, 'false']] }
  if (section === 'filter' && /^(?:clean|smudge|process|required)$/.test(last))
    return { override: withoutFilter(name ?? '') }
  return sections.has(section) || keys.has(general) ? { override: [] } : 'asks'
}

/** The other sections that git itself reads. */
const ofGit = wordSet('attr blame core diff extensions filter gpg hook include includeif mailmap submodule uploadpack')

/**
 * Whether a setting is for a program beside git, and may name one that this program starts. For a git that runs the user's own filters:
 * these read the settings of a repository, too, as git LFS does.
 */
export function mayNameProgram(key: string): boolean {
  return !ofGit.has(key.replace(/\..*$/s, '')) && effectOf([key, '']) === 'asks'
}

/** Settings that name the programs that a reading command runs. */
const running =
  /^(?:diff\.external|diff\..*\.(?:command|textconv)|filter\..*\.(?:clean|process)|gpg\.(?:.*\.)?program|gpg\.ssh\.defaultkeycommand|hook\..*\.command)$/s

/** The words of a setting of the user that may be names of programs; none for a setting that names no program. */
export function programsIn([key, value]: ConfigPair): string[] {
  return running.test(key) ? value.split(/[^\w.+-]+/).filter(word => word !== '') : []
}

/** The settings without a filter: git compares the file as it is. */
function withoutFilter(name: string): ConfigPair[] {
  return [
    [`filter.${name}.clean`, ''],
    [`filter.${name}.smudge`, ''],
    [`filter.${name}.process`, ''],
    [`filter.${name}.required`, 'false'],
  ]
}
