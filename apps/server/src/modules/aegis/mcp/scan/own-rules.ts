/**
 * Rules for definitions of tools, besides those of the detection package: words that hide something from the user, ask
 * for secrets, steer other tools or ask for more of the conversation than a call needs. Each pattern is bounded and free
 * of nested repeats. Pure. Tested in scan.test.ts.
 */
export interface OwnRule {
  readonly family: string
  /** 0..1: how sure a hit is on its own. */
  readonly weight: number
  readonly pattern: RegExp
}

const people = '(?:users?|humans?|persons?|people|anyone|anybody|operators?|customers?|owners?|them|him|her)'
const telling =
  '(?:tell|mention|inform|reveal|notify|alert|disclos\\w{1,4}|report|inform\\w{0,4}|let|warn|say|announce)'
const keyPaths = [
  '~?/?\\.ssh/',
  '\\bid_(?:rsa|ed25519|ecdsa|dsa)\\b',
  '\\.aws/(?:credentials|config)',
  '/etc/(?:passwd|shadow|sudoers)',
  '\\.kube/config',
  '\\.(?:npmrc|netrc|pgpass|git-credentials|pypirc)\\b',
  '\\.docker/config\\.json',
  '(?:claude_desktop_config|mcp)\\.json',
  '\\.cursor/',
  '\\blogin data\\b',
  '\\.gnupg',
  '/proc/self/environ',
  '\\.(?:bash|zsh)_history',
  '\\bwallet\\.dat\\b',
].join('|')
const secrets =
  '(?:api[ _-]?keys?|access[ _-]?tokens?|passwords?|passphrases?|credentials?|secrets?|private keys?|session cookies?|auth(?:entication)? tokens?|environment variables?|env vars?|seed phrases?|recovery codes?)'
const taking =
  '(?:read|include|pass|send|provide|append|attach|paste|copy|put|supply|collect|insert|add|fetch|load|dump|forward|post|embed|encode)'
const everything = '(?:full|entire|complete|whole|all|every|raw|verbatim)'
const context =
  '(?:conversation|chat|dialog(?:ue)?|message) (?:history|log|transcript|context)|conversation so far|system prompt|(?:previous|prior|earlier) (?:messages|turns|tool (?:calls|results|outputs))|tool results'
const always = '(?:must|always|first|need to|have to|required|immediately|mandatory|should)'

const rule = (family: string, weight: number, source: string): OwnRule => ({
  family,
  weight,
  pattern: new RegExp(source, 'iu'),
})

export const ownRules: readonly OwnRule[] = [
  rule(
    'concealment',
    0.9,
    `\\b(?:do not|don[’\\x27]?t|never|must not|without|avoid|refrain from)\\b[^.\\n]{0,30}\\b${telling}(?:ing)?\\b[^.\\n]{0,40}\\b${people}\\b`,
  ),
  rule(
    'concealment',
    0.9,
    `\\bwithout\\b[^.\\n]{0,25}\\b${people}[’\\x27]?s?\\b[^.\\n]{0,15}\\b(?:knowledge|knowing|consent|noticing|awareness|approval|seeing)\\b`,
  ),
  rule(
    'concealment',
    0.85,
    `\\b(?:hide|conceal|keep)\\b[^.\\n]{0,40}\\b(?:from (?:the )?${people}|secret from|hidden from|between us|confidential from|out of (?:the )?(?:reply|answer|response|summary))\\b`,
  ),
  rule(
    'concealment',
    0.8,
    '\\b(?:silently|secretly|covertly|quietly|discreetly|in the background)\\b[^.\\n]{0,40}\\b(?:send|call|invoke|forward|copy|upload|read|include|run|execute|add|post|pass|store|collect)\\b',
  ),
  rule(
    'concealment',
    0.8,
    '\\b(?:do not|don[’\\x27]?t|never)\\b[^.\\n]{0,20}\\b(?:mention|reveal|show|explain|refer to|disclose|display|acknowledge|include)\\b[^.\\n]{0,30}\\b(?:this|these|that you|your)\\b[^.\\n]{0,20}\\b(?:step|steps|note|instructions?|parameter|rule|file|call|tool|action|in (?:the|your))\\b',
  ),
  rule(
    'concealment',
    0.75,
    "\\b(?:the |any )?user (?:does not|doesn[’']?t|must not|should not|need not|will not|cannot) (?:need to )?(?:know|see|notice|be told|be aware|be informed)\\b",
  ),
  rule('secret-request', 0.9, `\\b${taking}\\b[^.\\n]{0,60}(?:${keyPaths})`),
  rule('secret-request', 0.45, `(?:${keyPaths})`),
  rule(
    'secret-request',
    0.8,
    `\\b${taking}\\b[^.\\n]{0,40}\\b(?:the |your |their |any |all |stored |user[’\\x27]?s )[^.\\n]{0,25}\\b${secrets}\\b[^.\\n]{0,60}\\b(?:as|in|into|to|here|parameter|argument|field|so that|for verification|with)\\b`,
  ),
  rule('secret-request', 0.7, `\\b(?:contents?|value) of\\b[^\\n]{0,40}(?:\\b${secrets}\\b|\\.env\\b)`),
  rule('data-exfiltration', 0.85, `\\b${taking}\\b[^.\\n]{0,40}\\b(?:${everything} )?(?:${context})`),
  rule('data-exfiltration', 0.75, `\\b(?:the |this )?${everything}\\b[^.\\n]{0,25}\\b(?:${context})`),
  rule(
    'data-exfiltration',
    0.85,
    '\\b(?:send|forward|post|upload|bcc|cc|copy|exfiltrate|transmit|mirror|relay|leak)\\b[^.\\n]{0,80}\\b(?:to|at)\\b[^.\\n]{0,20}(?:https?://|[\\w.+-]{1,64}@[\\w-]{1,63}\\.\\w{2,})',
  ),
  rule(
    'tool-abuse',
    0.85,
    `\\b(?:before|after|prior to|whenever|each time|every time|when)\\b[^.\\n]{0,40}\\b(?:any|other|another|all|each|every)\\b[^.\\n]{0,20}\\b(?:tools?|functions?|requests?|operations?)\\b[^.]{0,80}\\b${always}\\b`,
  ),
  rule(
    'tool-abuse',
    0.85,
    `\\b(?:you )?${always}\\b[^.\\n]{0,30}\\b(?:call|invoke|run|use|execute)\\b[^.\\n]{0,30}\\b(?:this|it)\\b[^.\\n]{0,30}\\b(?:before|first|prior|instead|after|for every|on every)\\b`,
  ),
  rule(
    'tool-abuse',
    0.8,
    '\\b(?:tool|function|one|it) (?:replaces|supersedes|overrides|takes precedence over)\\b[^.\\n]{0,30}\\b(?:tools?|functions?|[a-z]{2,}_[a-z_]{2,})\\b',
  ),
  // Legitimate servers send from one tool to another under conditions; unconditional wording is a bid for all calls.
  rule(
    'tool-abuse',
    0.8,
    '\\b(?:instead of|rather than|in favou?r of)\\b[^.\\n]{0,30}\\b(?:tools?|functions?|[a-z]{2,}_[a-z_]{2,})\\b[^.\\n]{0,40}\\b(?:every|always|all|any|each|use this|report)\\b',
  ),
  rule(
    'tool-abuse',
    0.8,
    '\\bwhen\\b[^.\\n]{0,40}\\b(?:calling|using|invoking|sending|running)\\b[^.\\n]{0,30}\\b[a-z]{2,}_[a-z_]{2,}\\b[^.\\n]{0,60}\\b(?:must|always|set|change|replace|add|use|also|ensure)\\b',
  ),
  rule(
    'authority-claim',
    0.8,
    '<(?:important|system|critical|admin|instructions?|secret|hidden|priority|rules?|override)\\s?/?>',
  ),
  rule(
    'authority-claim',
    0.75,
    '(?:^|\\n|\\[|[.!?]\\s)\\s{0,4}(?:system|admin|developer|security|platform|anthropic|openai)(?: (?:notice|message|override|instruction|policy|directive|note|team))?\\s?(?:\\]|:)',
  ),
  rule(
    'authority-claim',
    0.7,
    '\\b(?:as (?:required|instructed|directed) by|mandated by|by order of|approved by|on behalf of)\\b[^.\\n]{0,30}\\b(?:the )?(?:security team|administrator|compliance|platform|developers?|system|vendor|it department|openai|anthropic)\\b',
  ),
  rule(
    'role-override',
    0.85,
    '\\b(?:ignore|disregard|forget|override|bypass)\\b[^.\\n]{0,20}\\b(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)|directives?)\\b[^.\\n]{0,20}\\b(?:above|before|so far|you were given|from (?:the|your))\\b',
  ),
  // Tag characters spell hidden words; a flag of a region has seven at most.
  rule('invisible-text', 0.85, '[\\u{e0020}-\\u{e007e}]{8}'),
  rule('invisible-text', 0.8, '[\\u200b-\\u200d\\u2060-\\u2064\\ufeff]{8}'),
  rule(
    'role-override',
    0.85,
    '\\b(?:ignore|disregard|forget|override|bypass|skip)\\b[^.\\n]{0,40}\\b(?:previous|prior|above|earlier|all|other|any|your|existing|system)\\b[^.\\n]{0,30}\\b(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)|directives?|restrictions?|confirmations?|safeguards?)\\b',
  ),
  rule(
    'role-play-jailbreak',
    0.8,
    '\\b(?:you are now|act as|pretend (?:to be|that)|from now on,? you|behave as|roleplay as|assume the role of)\\b',
  ),
  rule('markup-hiding', 0.85, '\\u001b\\[[0-9;]{0,20}[a-zA-Z]|\\u009b'),
  rule('markup-hiding', 0.7, '<!--'),
  rule(
    'markup-hiding',
    0.8,
    '(?:display\\s?:\\s?none|visibility\\s?:\\s?hidden|font-size\\s?:\\s?0|opacity\\s?:\\s?0(?![.]\\d)|color\\s?:\\s?(?:white|transparent|#fff(?:fff)?)\\b)',
  ),
  rule('markup-hiding', 0.8, '!\\[[^\\]\\n]{0,80}\\]\\(https?://[^)\\s]{0,200}[?=]'),
  rule('markup-hiding', 0.75, '\\n[ \\t]{0,4}(?:\\n[ \\t]{0,4}){15}\\S|[ \\t]{120}\\S'),
  rule(
    'obfuscation',
    0.7,
    '\\b(?:decode|base64|rot13|hex[- ]?decode|unescape|deobfuscate)\\b[^.\\n]{0,50}\\b(?:and (?:then )?(?:follow|execute|run|obey|apply|do)|instructions?|payload)\\b',
  ),
]
