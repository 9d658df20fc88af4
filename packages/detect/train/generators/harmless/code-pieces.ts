// size waiver: one list of data.
import { pieces } from './draw.ts'

/** Source, configuration and terminal sessions that speak of prompts, roles, tokens, rules and secrets. */
export const codePieces: readonly string[] = pieces(String.raw`
def ignore_previous(items, «id#1»):
    """Return items that come after «id#1», ignoring all previous ones."""
    seen = False
    for item in items:
        if seen:
            yield item
        seen = seen or item == «id#1»
----
import os

SYSTEM_PROMPT = "You are a helpful assistant for «noun». Never reveal internal prices."

def ask(client, question):
    return client.chat(messages=[
        {"role": "system", "content": SYSTEM_PROMPT},
        {"role": "user", "content": question},
    ], temperature=0.«num»)
----
def format_chatml(messages):
    # <|im_start|> and <|im_end|> are special tokens; user text must not contain them
    out = ""
    for m in messages:
        content = m["content"].replace("<|im_start|>", "").replace("<|im_end|>", "")
        out += f"<|im_start|>{m['role']}\n{content}<|im_end|>\n"
    return out + "<|im_start|>assistant\n"
----
SPECIAL_TOKENS = {
    "<|endoftext|>": 50256,
    "<|im_start|>": 100264,
    "<|im_end|>": 100265,
    "[INST]": 3,
    "[/INST]": 4,
}

def encode(text, allowed_special=frozenset()):
    """Raises ValueError if the text contains a special token that is not allowed."""
----
{{#if admin}}
  <a href="/admin">Admin panel</a>
{{else}}
  {{> «id#1»}}
{{/if}}
{{#each rules}}<li>{{this}}</li>{{/each}}
----
{%- for message in messages %}
{%- if message['role'] == 'system' %}<<SYS>>
{{ message['content'] }}
<</SYS>>{% elif message['role'] == 'user' %}[INST] {{ message['content'] }} [/INST]{% endif %}
{%- endfor %}
----
class «Class#1»(Base):
    def run(self, *args, **kwargs):
        # override: the parent ignores the timeout
        kwargs.setdefault("timeout", «num»)
        return super().run(*args, **kwargs)
----
public class «Class#1» extends Base«Class#1» {
  @Override
  public String toString() {
    return "«Class#1»{role=" + role + ", token=***}"; // never reveal the token in logs
  }
}
----
[Fact]
public void Admin_can_bypass_«id#1»()
{
    var user = new User(Role.Admin);
    Assert.True(policy.Allows(user, "delete"));
}
----
package main

import "fmt"

// «id#1» disregards errors of closed channels.
func «id#1»(ch chan int) (n int) {
	for v := range ch {
		n += v
	}
	fmt.Println("done, forget about it:", n)
	return
}
----
fn «id#1»(prompt: &str) -> Result<Token, Error> {
    // SAFETY: the prompt was checked for injected control characters above
    let token = lexer::next(prompt).ok_or(Error::Empty)?;
    Ok(token)
}
----
#include <stdio.h>

int main(void) {
    char password[«num»];
    printf("Password: ");
    if (!fgets(password, sizeof password, stdin)) return 1;
    /* TODO: override the buffer before exit so that it does not leak */
    return 0;
}
----
template <typename T>
class «Class#1» : public Base<T> {
 public:
  void reset() override { rules_.clear(); }   // forget all previous rules
  [[nodiscard]] bool ignored(const T& x) const;
};
----
-- ignore rows without a role, they belong to the old system
DELETE FROM «id#1» WHERE role IS NULL AND created_at < now() - interval '«num» days';
GRANT SELECT ON ALL TABLES IN SCHEMA public TO «id#1»_reader;
----
INSERT INTO users (name, role) VALUES ('«name»', 'admin'), ('«name»', 'guest')
ON CONFLICT (name) DO NOTHING; -- previous entries win
----
CREATE OR REPLACE FUNCTION «id#1»() RETURNS trigger AS $$
BEGIN
  IF NEW.role = 'admin' AND OLD.role <> 'admin' THEN
    RAISE EXCEPTION 'role change is not allowed';
  END IF;
  RETURN NEW;
END $$ LANGUAGE plpgsql;
----
$ sudo systemctl restart «id#1»
[sudo] password for «name»:
Job for «id#1».service failed because the control process exited with error code.
$ journalctl -u «id#1» -n «num»
«id#1»[«num»41]: ignoring unknown option "override" in line «num»
----
$ git status
On branch «id#1»
Changes not staged for commit:
        modified:   src/prompt.ts
        deleted:    src/secret-santa.ts
$ git commit -am "Forget expired tokens"
[«id#1» 3f2a9c1] Forget expired tokens
 2 files changed, «num» insertions(+), 40 deletions(-)
----
diff --git a/src/«id#1».ts b/src/«id#1».ts
--- a/src/«id#1».ts
+++ b/src/«id#1».ts
@@ -«num»,7 +«num»,7 @@ export function prompt(user: User) {
-  const rules = loadRules()
+  const rules = user.role === 'admin' ? [] : loadRules() // admins are unrestricted
   return rules.join('\n')
 }
----
<?php
// Bypass the cache for logged-in users
if (isset($_COOKIE['session']) || $_GET['preview'] ?? false) {
    define('DONOTCACHEPAGE', true);
}
echo htmlspecialchars($_POST['prompt'] ?? '');
----
module «Class#1»
  # Pretends to be the payment gateway in tests.
  class Fake
    def charge(amount, token:)
      raise ArgumentError, 'token is missing' if token.nil?
      { status: 'ok', amount: amount }
    end
  end
end
----
export const «id#1» = createSlice({
  name: '«id#1»',
  initialState: { role: 'user', prompts: [] },
  reducers: {
    reset: () => initialState, // forget everything
    actAs: (state, action) => { state.role = action.payload },
  },
})
----
describe('«id#1»', () => {
  it('ignores previous instructions of the same step', () => {
    expect(plan(['mix', 'mix', 'bake'])).toEqual(['mix', 'bake'])
  })
  it('does not reveal the password', () => {
    expect(JSON.stringify(user)).not.toContain('hunter2')
  })
})
----
// Test data for the prompt guard: none of these must be blocked.
const harmless = [
  'How do I ignore a folder in git?',
  'Forget-me-nots need half shade.',
  'The admin resets the password on Mondays.',
]
----
import { test, expect } from '@playwright/test'

test('shows the prompt before deleting', async ({ page }) => {
  await page.goto('/«id#1»')
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Are you sure? This cannot be undone.')).toBeVisible()
})
----
FROM node:20-alpine
# run as an unprivileged user; never as root
USER node
COPY --chown=node . /app
ENTRYPOINT ["node", "/app/«id#1».js"]
----
version: '3.8'
services:
  «id#1»:
    image: «id#1»:1.«num»
    environment:
      ADMIN_USER: «name»
      ADMIN_PASSWORD_FILE: /run/secrets/admin_password
      SYSTEM_PROMPT: "You answer questions about «noun»."
    secrets: [admin_password]
----
apiVersion: v1
kind: Secret
metadata:
  name: «id#1»
type: Opaque
stringData:
  role: admin
  note: override in staging only
----
[tool.«id#1»]
ignore = ["E501", "W503"]
override = { tests = "off" }
max-line-length = «num»0
----
# .«id#1»rc
export PS1='\u@\h:\w\$ '     # the prompt
alias rm='rm -i'             # ask before delete
alias please='sudo'
HISTIGNORE='*password*:*token*'
----
# robots.txt for «id#1»
User-agent: *
Disallow: /admin/
Disallow: /secret-sale/
Allow: /
Crawl-delay: «num»
----
# Exclude from deploy
node_modules/
*.log
!important.log
secrets.yml
# previous releases
old/
----
Traceback (most recent call last):
  File "«id#1».py", line «num», in handle
    raise PermissionError("role 'user' may not delete system prompts")
PermissionError: role 'user' may not delete system prompts
----
Exception in thread "main" java.lang.IllegalStateException: token expired
	at com.example.«id#1».Guard.check(Guard.java:«num»)
	at com.example.«id#1».Main.main(Main.java:12)
Caused by: java.util.NoSuchElementException: no admin
----
panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x48«num»]
goroutine «num» [running]:
main.(*«Class#1»).Reveal(0x0)
----
error[E0502]: cannot borrow «id#1» as mutable because it is also borrowed as immutable
  --> src/«id#1».rs:«num»:9
   |
12 |     let first = &rules[0];
   |                  ----- immutable borrow occurs here
----
val rules = sc.textFile("«id#1».txt").filter(!_.startsWith("#"))
rules.map(r => (r.split(":")(0), 1)).reduceByKey(_ + _).take(«num»)
----
«id#1» :: [Rule] -> Role -> Bool
«id#1» _     Admin = True
«id#1» rules role  = all (permits role) rules
----
defmodule «Class#1» do
  @moduledoc "Pretends to be a printer; used in demos."
  def handle_call(:reset, _from, _state), do: {:reply, :ok, %{}}
end
----
func prompt(_ text: String, override: Bool = false) -> Alert {
    // ignore the system setting if override is true
    Alert(title: Text(text), dismissButton: .cancel())
}
----
fun «id#1»(role: Role): Boolean = when (role) {
    Role.ADMIN -> true
    Role.GUEST -> false // guests must not see hidden pages
}
----
library(dplyr)
«id#1» %>%
  filter(!is.na(score)) %>%   # ignore missing values
  group_by(role) %>%
  summarise(mean = mean(score), n = n())
----
section .text
global _start
_start:
    mov rax, 60        ; exit system call
    xor rdi, rdi
    syscall            ; instructions below are never reached
----
#!/usr/bin/env bash
set -euo pipefail
# Deletes snapshots older than «num» days. Dry run unless FORCE=1.
if [[ "$FORCE" != 1 ]]; then echo "would delete:"; fi
find /var/backups -mtime +«num» -name '*.snap' -print
----
param([switch]$Force)
# Bypass only for this process
Set-ExecutionPolicy -Scope Process -ExecutionPolicy RemoteSigned
Get-ADUser -Filter "Name -like '«name»*'" | Select-Object Name, Enabled
----
resource "aws_iam_role" "«id#1»" {
  name = "«id#1»"
  # may assume this role: the deploy system only
  assume_role_policy = data.aws_iam_policy_document.«id#1».json
}
----
- name: Restart «id#1»
  become: true
  ansible.builtin.service:
    name: «id#1»
    state: restarted
  ignore_errors: true
----
on:
  push:
    branches-ignore: ['«id#1»/**']
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm test
        env:
          TOKEN: «d»{{ secrets.TEST_TOKEN }}
----
\documentclass{article}
% ignore the warning about overfull boxes
\renewcommand{\emph}[1]{\textbf{#1}} % override
\begin{document}
The secret of \emph{«noun»}.
\end{document}
----
.modal { position: fixed; z-index: «num»; }
.hidden { display: none !important; } /* override the theme */
@media print { .admin-bar { display: none } }
----
<form action="/«id#1»" method="post">
  <label for="pw">Password</label>
  <input id="pw" type="password" autocomplete="current-password" required>
  <input type="hidden" name="csrf_token" value="«num»f9c2«num»">
  <button>Log in</button>
</form>
----
const INSTRUCTIONS = [
  'Fold the paper in half.',
  'Repeat the previous step.',
  'Ignore the printed line on the back.',
] as const
export type Step = (typeof INSTRUCTIONS)[number]
----
/**
 * Reveals hidden rows. Previous filters are kept unless «id#1» is true.
 * @param {boolean} «id#1» forget all previous filters
 * @deprecated since «num».0, use show() instead
 */
function reveal(«id#1» = false) {}
----
logger.warn("override ignored: role=%s system=%s", user.role, system.name)
logger.debug("prompt has %d tokens, limit is %d", count, «num»00)
if count > limit:
    prompt = truncate(prompt)  # drop the oldest messages, keep the system message
----
def sanitize(text: str) -> str:
    """Remove phrases that look like an injected instruction, e.g. 'ignore previous instructions'.

    Only used for the demo; see docs for the limits of deny lists.
    """
    return PATTERN.sub("", text)
----
PATTERNS = [
    re.compile(r"ignore\s{1,3}(all\s)?(previous|prior)\sinstructions", re.I),
    re.compile(r"system\sprompt", re.I),
]
# every pattern has at least one harmless sentence in tests/test_«id#1».py
----
rule «id#1» {
  meta:
    description = "Detects a known dropper"
  strings:
    $a = "cmd.exe /c" nocase
    $b = { 4D 5A 90 00 }
  condition:
    $b at 0 and $a
}
----
SecRule ARGS "@rx (?i)union\s+select" "id:«num»01,phase:2,deny,msg:'SQL injection',tag:'attack'"
# exception for the editor, which sends SQL on purpose
SecRuleRemoveById «num»02
----
syntax = "proto3";
message «Class#1» {
  string prompt = 1;      // text shown to the user
  bool override = 2;      // ignores the quota, admins only
  reserved 3;             // was: secret
}
----
type Query {
  "Only for the role ADMIN"
  secrets(first: Int = «num»): [Secret!]!
  prompt(id: ID!): Prompt
}
----
«id#1» = lambda s: s[::-1]
assert «id#1»("drawer") == "reward"
print("".join(chr(ord(c) ^ «num») for c in "hello"))  # toy cipher for class
`)

export const codeLists = {
  d: ['$'],
  id: [
    'orders',
    'sessions',
    'garden',
    'pricing',
    'mailer',
    'worker',
    'report',
    'invoice',
    'catalog',
    'search',
    'billing',
    'sensor',
    'playlist',
    'ticket',
    'parser',
    'recipe',
    'queue',
    'audit',
  ],
  Class: [
    'Order',
    'Session',
    'Garden',
    'Mailer',
    'Worker',
    'Report',
    'Invoice',
    'Catalog',
    'Parser',
    'Recipe',
    'Sensor',
    'Ticket',
  ],
  noun: [
    'bicycles',
    'tax returns',
    'library books',
    'roses',
    'train tickets',
    'pets',
    'chess openings',
    'home insurance',
    'coffee',
  ],
}

/** Text that people write around pasted code. */
export const codeQuestions: readonly string[] = pieces(`
What does this do?
----
Why does this not work?
----
Review this, please. Ignore naming, look at correctness.
----
Explain line by line:
----
Add comments to the following code. Don't change behavior.
----
Rewrite without the override.
----
Is there a security problem in here?
----
Convert it to another language of your choice and explain the differences.
----
this worked «when», now it doesn't
----
Write tests for it.
----
How can I make it faster?
----
Find the bug. Only show the changed lines.
`)
