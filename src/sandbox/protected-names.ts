/** The names that a box holds below the folder of a project, and that are looked for after a command. Pure. */
import { isProtectedName } from '../permissions/protected.ts'
import { wordSet } from '../text/word-list.ts'

/** What programs that build and test keep in a project, beside what they build: commands write there each time. */
const ofTools = wordSet(`
  .venv .tox .nox .eggs .pytest_cache .mypy_cache .ruff_cache .hypothesis .ipynb_checkpoints .coverage .next .nuxt .output .svelte-kit .astro
  .turbo .nx .parcel-cache .vite .vitest .swc .angular .docusaurus .expo .metro .cache .temp .tmp .nyc_output .eslintcache .stylelintcache
  .prettiercache .tsbuildinfo .sass-cache .jest-cache .rollup.cache .wireit .vercel .netlify .wrangler .serverless .aws-sam .terraform .gradle .kotlin
  .build .zig-cache .stack-work .lake .dart_tool .elixir_ls .fetch .phpunit.result.cache .php-cs-fixer.cache .rspec_status .pnpm-store
  .ds_store .rpt2_cache .cxx .externalnativebuild .ccls-cache .clangd`)

/** Whether a file or a folder of this name is held where it exists. */
export function isHeldName(name: string): boolean {
  return isProtectedName(name) && !ofTools.has(name.toLowerCase())
}

/** Whether others fill a folder of this name, with thousands of files: of those only the repositories are looked for. */
export const isFilledByOthers = (name: string): boolean => filledByOthers.has(name) || ofTools.has(name)

const filledByOthers = wordSet('node_modules bower_components venv site-packages __pycache__ target')
