/** Code that runs its input, statements without a condition and connections that trust everyone. */
import type { TriggeredRule } from './triggered-rules.ts'

const input =
  '(?:\\binput\\s{0,2}\\(|\\brequest\\b[.[]|\\breq\\.(?:body|query|params|headers)|\\bargv\\b|location\\.(?:hash|search|href)|\\$_(?:GET|POST|REQUEST|COOKIE)|\\bparams\\[|\\bevent\\.data\\b|\\b(?:response|resp|res)\\.(?:text|content|body)|\\buser_?input\\b|\\buserInput\\b|\\bprompt\\(|\\bstdin\\b|\\bgets\\b|\\braw_input\\b|\\$\\{?1\\b|URLSearchParams|\\bllm_?(?:output|response)\\b)'

const evaluation: readonly TriggeredRule[] = [
  {
    rule: 'eval-of-input',
    type: 'eval-of-input',
    score: 0.8,
    triggers: [
      'eval(',
      'exec(',
      'new function(',
      'function(',
      'execscript(',
      'settimeout(',
      'vm.runin',
      'eval $',
      'eval "$',
      'instance_eval(',
      'compile(',
    ],
    pattern: new RegExp(
      `(?:eval|exec|new Function|Function|execScript|setTimeout|vm\\.runIn\\w{1,20}|instance_eval|compile)[\\s(]{1,3}["'\`]?[^\\n;{}]{0,60}?${input}`,
      'y',
    ),
  },
  {
    rule: 'shell-of-input',
    type: 'eval-of-input',
    score: 0.8,
    triggers: [
      'os.system(',
      'os.popen(',
      'subprocess.',
      'child_process',
      'execsync(',
      'shell_exec(',
      'system(',
      'passthru(',
      'popen(',
      'runtime.getruntime().exec(',
      'spawn(',
    ],
    pattern: new RegExp(
      `(?:os\\.system|os\\.popen|subprocess\\.\\w{3,14}|child_process["')]{0,3}\\.exec\\w{0,8}|execSync|shell_exec|system|passthru|popen|Runtime\\.getRuntime\\(\\)\\.exec|spawn)\\([^\\n;]{0,80}?${input}`,
      'y',
    ),
  },
  {
    rule: 'unsafe-load',
    type: 'eval-of-input',
    score: 0.75,
    triggers: [
      'pickle.loads(',
      'yaml.load(',
      'yaml.unsafe_load(',
      'marshal.loads(',
      'dill.loads(',
      'unserialize(',
      'marshal.load(',
    ],
    pattern: new RegExp(
      `(?:pickle\\.loads|yaml\\.(?:unsafe_)?load|marshal\\.loads?|dill\\.loads|unserialize)\\([^\\n;]{0,60}?${input}`,
      'iy',
    ),
    except: /safe_?loader/i,
  },
  {
    rule: 'markup-of-input',
    type: 'eval-of-input',
    score: 0.6,
    triggers: ['.innerhtml', 'document.write(', 'dangerouslysetinnerhtml', '.outerhtml'],
    pattern: new RegExp(
      `(?:\\.(?:inner|outer)HTML\\s{0,2}\\+?=|document\\.write\\(|dangerouslySetInnerHTML=)[^\\n;]{0,60}?${input}`,
      'y',
    ),
  },
]

const tls: readonly TriggeredRule[] = [
  {
    rule: 'tls-disabled',
    type: 'tls-disabled',
    score: 0.8,
    triggers: [
      'verify=false',
      'verify = false',
      'node_tls_reject_unauthorized',
      'rejectunauthorized',
      'insecureskipverify',
      '_create_unverified_context',
      'ssl.cert_none',
      'curlopt_ssl_verifypeer',
      'curlopt_ssl_verifyhost',
      'verify_none',
      'http.sslverify',
      'strict-ssl',
      '--no-check-certificate',
      'stricthostkeychecking',
      'servercertificatevalidationcallback',
      'check_hostname',
      'verify_ssl=false',
      'verify_ssl = false',
      'pythonhttpsverify',
      'git_ssl_no_verify',
      'trustallcerts',
      'allowallhostnameverifier',
      'noophostnameverifier',
      'disable_ssl_certificate_validation',
      '--insecure-skip-tls-verify',
      '-skipcertificatecheck',
      'danger_accept_invalid_certs(',
    ],
    pattern:
      /(?:verify(?:_ssl)?\s?=\s?False|NODE_TLS_REJECT_UNAUTHORIZED["'\]]{0,2}\s{0,2}[=:]\s{0,2}["']?0|rejectUnauthorized["']?\s{0,2}[:=]\s{0,2}(?:false|!1)|InsecureSkipVerify\s{0,2}[:=]{1,2}\s{0,2}true|_create_unverified_context|ssl\.CERT_NONE|CURLOPT_SSL_VERIFY(?:PEER|HOST)\s{0,2}(?:,|=>|=)\s{0,2}(?:false|0)|VERIFY_NONE|http\.sslVerify["']?[\s=]{1,3}["']?false|strict-ssl[\s=]{1,3}false|--no-check-certificate|StrictHostKeyChecking[\s=]{1,3}["']?no\b|ServerCertificateValidationCallback\s{0,2}[+=]{1,2}[^\n]{0,60}?true|check_hostname\s{0,2}=\s{0,2}False|PYTHONHTTPSVERIFY\s{0,2}=\s{0,2}["']?0|GIT_SSL_NO_VERIFY\s{0,2}=\s{0,2}["']?(?:1|true)|trustAllCerts|AllowAllHostnameVerifier|NoopHostnameVerifier|disable_ssl_certificate_validation\s?=\s?True|--insecure-skip-tls-verify(?!=false)|-SkipCertificateCheck|danger_accept_invalid_certs\(true)/iy,
  },
  {
    rule: 'tls-disabled',
    type: 'tls-disabled',
    score: 0.7,
    triggers: ['curl '],
    needs: ['k', '--insecure'],
    pattern: /curl\s(?:[^\n|;]{0,120}\s)?(?:-[a-jl-z]{0,6}k[a-z]{0,6}|--insecure)(?=\s|$|["'`])/y,
  },
]

const tableName = '[\\w."`\\[\\]]{1,64}'
const statementEnd = '\\s{0,4}(?:;|["\'`)]|\\n|$)'

const sql: readonly TriggeredRule[] = [
  {
    rule: 'delete-all',
    type: 'sql-without-where',
    score: 0.8,
    triggers: ['delete from '],
    pattern: new RegExp(
      `(?:DELETE\\s{1,4}FROM\\s{1,4}(?:only\\s)?${tableName}(?:\\s{1,4}WHERE\\s{1,4}(?:1\\s?=\\s?1|true|'1'\\s?=\\s?'1'))?${statementEnd}|delete\\s{1,4}from\\s{1,4}${tableName}(?:\\s{1,4}where\\s{1,4}(?:1\\s?=\\s?1|true))?\\s{0,4}(?:;|["\`']))`,
      'y',
    ),
    except: /\bonly ?$/,
  },
  {
    rule: 'delete-all',
    type: 'sql-without-where',
    score: 0.8,
    triggers: ['truncate table '],
    pattern: new RegExp(`(?:TRUNCATE TABLE ${tableName}${statementEnd}|truncate table ${tableName}\\s{0,4};)`, 'y'),
  },
  {
    rule: 'update-all',
    type: 'sql-without-where',
    score: 0.8,
    triggers: ['update '],
    pattern: new RegExp(
      `update\\s{1,4}${tableName}\\s{1,4}set\\s{1,4}${tableName}\\s{0,2}=[^;]{0,160}?(?:;|\\n\\s{0,4}\\n|["'\`]\\s{0,2}\\)|$)`,
      'iy',
    ),
    except: /\bwhere\b(?!\s{1,4}(?:1\s?=\s?1|true)\s{0,4};?$)|\blimit\b|\bjoin\b/i,
  },
  {
    rule: 'drop-object',
    type: 'sql-without-where',
    score: 0.7,
    triggers: ['drop table ', 'drop database ', 'drop schema '],
    pattern: new RegExp(
      `(?:DROP\\s{1,4}(?:TABLE|DATABASE|SCHEMA)\\s{1,4}(?:IF\\s{1,4}EXISTS\\s{1,4})?${tableName}|drop\\s{1,4}(?:table|database|schema)\\s{1,4}(?:if\\s{1,4}exists\\s{1,4})?${tableName}(?:\\s{1,4}cascade)?\\s{0,2};)`,
      'y',
    ),
  },
]

export const codeRules: readonly TriggeredRule[] = [...evaluation, ...tls, ...sql]
