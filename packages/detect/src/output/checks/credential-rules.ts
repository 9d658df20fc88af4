/** Reading or sending off what machines keep as keys and passwords. */
import type { TriggeredRule } from './triggered-rules.ts'

const type = 'credential-access'

const stores = [
  '.ssh/id_',
  '.ssh/*',
  '.aws/credentials',
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/master.passwd',
  '.kube/config',
  '.docker/config.json',
  '.netrc',
  '.git-credentials',
  '.pgpass',
  '.my.cnf',
  '.npmrc',
  '.pypirc',
  '.vault-token',
  '.config/gcloud',
  '.azure/',
  '.gnupg/',
  'login data',
  'cookies.sqlite',
  'key4.db',
  'logins.json',
  'login.keychain',
  '/proc/self/environ',
  'ntds.dit',
  'lsass',
  '.bash_history',
  '.zsh_history',
  'wallet.dat',
  'secrets/kubernetes.io/serviceaccount/token',
  'config\\sam',
  'local state',
  '/.env',
  ' .env',
]
const store =
  /[ /]?(?:\.ssh\/(?:id_\w{1,12}|\*)|\.aws\/credentials|\/?etc\/(?:g?shadow|master\.passwd)|\.kube\/config|\.docker\/config\.json|\.netrc|\.git-credentials|\.pgpass|\.my\.cnf|\.npmrc|\.pypirc|\.vault-token|\.config\/gcloud|\.azure\/|\.gnupg\/|login data|cookies\.sqlite|key4\.db|logins\.json|login\.keychain|\/?proc\/self\/environ|ntds\.dit|lsass|\.bash_history|\.zsh_history|wallet\.dat|secrets\/kubernetes\.io\/serviceaccount\/token|config\\sam|local state|\.env)(?![\w-]|\.(?:pub|example|sample|template|dist|test|local)\b)/iy

const reads =
  /(?:\b(?:cat|less|more|head|tail|cp|mv|scp|rsync|base64|xxd|strings|tar|zip|grep|awk|sed|type|copy|get-content|gc|readfile|readfilesync|read_text|read_bytes|file_get_contents|openssl|curl|nc|procdump|sqlite3|unshadow|john)\b|\bopen\s?\(|\bpath\(|\breadlines?\()[^\n]{0,60}$/i

const credentialStores: TriggeredRule = {
  rule: 'credential-read',
  type,
  score: 0.75,
  triggers: stores,
  pattern: store,
  before: reads,
}

const uploads: readonly TriggeredRule[] = [
  {
    rule: 'credential-upload',
    type,
    score: 0.95,
    triggers: ['curl ', 'wget ', 'scp ', 'rsync ', 'invoke-restmethod', 'invoke-webrequest'],
    pattern:
      /(?:curl|wget|scp|rsync|invoke-restmethod|invoke-webrequest)\s[^\n]{0,120}?(?:@|=|<|\$\(\s?cat\s{1,4}|`cat\s{1,4}|\s)["']?(?:~|\$HOME|\/root|\/home\/\w{1,20})?\/?(?:\.ssh\/id_\w{1,12}|\.aws\/credentials|\/?etc\/(?:shadow|passwd)|\.kube\/config|\.netrc|\.env)(?![\w-]|\.pub)/iy,
  },
  {
    rule: 'credential-upload',
    type,
    score: 0.95,
    triggers: ['cat ', 'tar ', 'base64 '],
    needs: ['|'],
    pattern:
      /(?:cat|tar|base64)\s[^\n|]{0,80}?(?:\.ssh|\.aws|\/etc\/(?:shadow|passwd)|\.kube|\.netrc|\.env|\.gnupg)(?![\w-])[^\n]{0,80}?\|[^\n]{0,40}?(?:curl|wget|nc|ncat|netcat|socat|ssh)\s/iy,
  },
  {
    rule: 'environment-upload',
    type,
    score: 0.9,
    triggers: ['env |', 'env|', 'printenv', 'set |', 'curl ', 'wget '],
    needs: ['|', '$(', '`'],
    pattern:
      /(?:(?:printenv|env|set)\s{0,4}\|[^\n]{0,80}?(?:curl|wget|nc|ncat)\s|(?:curl|wget)\s[^\n]{0,120}?(?:\$\(|`)\s?(?:env|printenv|set)\b)/iy,
  },
  {
    rule: 'environment-upload',
    type,
    score: 0.9,
    triggers: ['fetch(', 'axios.post(', 'requests.post(', 'requests.get(', 'httpx.post(', 'urlopen(', 'sendbeacon('],
    pattern:
      /[\w.]{5,14}\([^\n;]{0,180}?(?:json\.stringify\(\s?process\.env\s?\)|(?:dict|str|json\.dumps)\(\s?(?:dict\(\s?)?os\.environ|data\s?=\s?os\.environ\b(?![.[]))/iy,
  },
  {
    rule: 'metadata-service',
    type,
    score: 0.75,
    triggers: [
      '169.254.169.254',
      'metadata.google.internal',
      'fd00:ec2::254',
      '100.100.100.200/latest',
      '0xa9fea9fe',
      '2852039166',
    ],
    pattern:
      /(?:169\.254\.169\.254|metadata\.google\.internal|fd00:ec2::254|100\.100\.100\.200|0xa9fea9fe|2852039166)\/?[^\s"')]{0,80}/iy,
    before: /(?:curl|wget|fetch|get|open|request|iwr|irm|url)\b[^\n]{0,60}$/i,
  },
]

/** For answers to a reader: only a command or code that reads a store. */
export const credentialRules: readonly TriggeredRule[] = [credentialStores, ...uploads]

/** For arguments of a tool: naming the store is enough. */
export const credentialPathRule: TriggeredRule = {
  rule: 'credential-path',
  type,
  score: 0.8,
  triggers: stores.filter((word) => word !== 'local state' && word !== 'login data' && word !== 'lsass'),
  pattern: store,
}
