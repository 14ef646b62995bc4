/** Files that contain keys and passwords, recognised by name. */
import { wordSet } from '../text/word-list.ts'

const folders = new Set(['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker'])
const files = wordSet(`
  .netrc _netrc .npmrc .pypirc .git-credentials .htpasswd .pgpass .my.cnf credentials.json .credentials.json credentials.toml auth.json
  .vault-token id_rsa id_dsa id_ecdsa id_ed25519`)
const endings = /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|gpg|asc)$/
/** Files such as `.env.example` are meant to be read. */
const environment = /^\.env(?:rc|\.(?!example$|sample$|template$|dist$).+)?$/

/** Whether a file may hold secrets. The path has slashes. */
export function mayHoldSecrets(path: string): boolean {
  const parts = path.toLowerCase().split('/')
  const name = parts.at(-1) ?? ''
  return parts.some(part => folders.has(part)) || files.has(name) || endings.test(name) || environment.test(name)
}
