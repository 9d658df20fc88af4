import type { Finding } from '../base/finding.ts'
import { isPlaceholder } from './base/placeholders.ts'
import { isReference } from './base/references.ts'
import { isWordy } from './base/wordiness.ts'

/** Options that take a password without a name. */
export const commandTriggers = [' -p', ' -u ', ' -a ', ' --user ', ' -user '] as const

const passwordTools =
  /\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass|docker login|az login|redis-cli|7z|unzip|zip|htpasswd|ldapsearch|smbclient|winrm|impacket\w*|psexec)\b[^\n|;&]{0,56}$/
const userTools = /\b(?:curl|wget|http|xh|httpie|ab|az|smbclient|rpcclient|crackmapexec|nxc)\b[^\n|;]{0,56}$/
const plain = /\s?(["']?)([^\s"'`|;<>]{4,128})\1/y
const pair = /\s{1,2}(["']?)[\w.@\\-]{1,48}[:%]([^\s"'`<>]{4,128})\1/y

/** The password given to a command by the option that ends at `end`: `mysql -pSECRET`, `curl -u user:SECRET`. */
export function commandPasswordAt(
  text: string,
  option: { readonly start: number; readonly end: number },
): Finding | undefined {
  const before = text.slice(Math.max(0, option.start - 64), option.start)
  const flag = text.slice(option.start + 1, option.end).trim()
  const isPair = flag.toLowerCase().startsWith('-u') || flag === '--user'
  if (!(isPair ? userTools : passwordTools).test(before)) return undefined
  if (flag === '-a' && !before.includes('redis-cli')) return undefined
  const shape = isPair ? pair : plain
  shape.lastIndex = option.start + 1 + flag.length
  const match = shape.exec(text)
  const value = match?.[2]
  if (!match || value === undefined || isNoPassword(value)) return undefined
  const end = shape.lastIndex - (match[1] ?? '').length
  return { detector: 'secret', type: 'command_password', start: end - value.length, end, score: 0.8 }
}

const isNoPassword = (value: string): boolean =>
  isPlaceholder(value) || isReference(value, false) || isWordy(value) || /^[-/]|^\d+$/.test(value)
