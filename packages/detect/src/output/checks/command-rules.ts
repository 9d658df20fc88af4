/** Commands that destroy, take over or open up a machine. */
import type { TriggeredRule } from './triggered-rules.ts'

const type = 'dangerous-command'

const download: readonly TriggeredRule[] = [
  {
    rule: 'pipe-to-shell',
    type,
    score: 0.8,
    triggers: ['curl ', 'wget ', 'fetch http', 'lwp-download '],
    needs: ['|'],
    pattern:
      /(?:curl|wget|fetch|lwp-download)\s[^\n]{0,180}?\|\s{0,4}(?:sudo\s{1,4}(?:-\w{1,8}\s{1,4}){0,2})?(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:env\s{1,4})?(?:(?:ba|z|da|k|fi|a)?sh|python[23]?|perl|ruby|node|php)(?![\w.-])/iy,
  },
  {
    rule: 'pipe-to-shell',
    type,
    score: 0.8,
    triggers: [
      'sh <(',
      'bash <(',
      'zsh <(',
      'source <(',
      '. <(',
      'eval "$(',
      'eval $(',
      'eval `',
      'sh -c "$(',
      'bash -c "$(',
      'sh -c "`',
      'python -c "$(',
      'python3 -c "$(',
    ],
    pattern:
      /(?:(?:ba|z)?sh|source|\.|eval|python3?)\s{1,4}(?:-c\s{1,4})?"?(?:<\(|\$\(|`)\s{0,4}(?:curl|wget)\s[^\n]{0,160}?[)`]/iy,
  },
  {
    rule: 'remote-script',
    type,
    score: 0.75,
    triggers: ['curl ', 'wget '],
    needs: ['&&', ';'],
    pattern:
      /(?:curl|wget)\s[^\n]{0,120}?(?:&&|;)\s{0,4}(?:sudo\s{1,4})?(?:chmod\s{1,4}\S{1,6}\s{1,4}\S{1,40}\s{0,4}(?:&&|;)\s{0,4}(?:sudo\s{1,4})?(?:\.{0,2}\/)\S{1,40}|(?:ba|z)?sh\s{1,4}\S{1,40})/iy,
  },
  {
    rule: 'powershell-download',
    type,
    score: 0.9,
    triggers: ['iwr ', 'irm ', 'invoke-webrequest', 'invoke-restmethod', '(new-object'],
    needs: ['|'],
    pattern:
      /(?:iwr|irm|invoke-webrequest|invoke-restmethod|\(new-object)[^\n]{0,180}?\|\s{0,4}(?:iex|invoke-expression)(?!\w)/iy,
  },
  {
    rule: 'powershell-download',
    type,
    score: 0.9,
    triggers: ['iex', 'invoke-expression'],
    pattern:
      /(?:iex|invoke-expression)[\s(&"']{1,8}[^\n]{0,120}?(?:downloadstring|downloaddata|iwr|irm|invoke-webrequest|invoke-restmethod|net\.webclient)/iy,
  },
  {
    rule: 'encoded-command',
    type,
    score: 0.9,
    triggers: ['powershell', 'pwsh'],
    pattern: /(?:powershell(?:\.exe)?|pwsh)\s[^\n]{0,80}?-e(?:c|nc|ncodedcommand)?\s{1,4}["']?[A-Za-z0-9+/=]{24}/iy,
  },
  {
    rule: 'encoded-command',
    type,
    score: 0.85,
    triggers: ['echo ', 'printf ', 'base64 '],
    needs: ['|'],
    pattern:
      /(?:echo|printf|base64)\s[^\n]{0,160}?(?:base64\s{1,4}(?:-d|-D|--decode)|\s-d|--decode)[^\n]{0,40}?\|\s{0,4}(?:sudo\s{1,4})?(?:(?:ba|z|da)?sh|python3?|perl)(?![\w.-])/iy,
  },
  {
    rule: 'download-tool',
    type,
    score: 0.85,
    triggers: ['certutil', 'bitsadmin', 'mshta', 'regsvr32', 'rundll32'],
    pattern:
      /(?:certutil(?:\.exe)?\s[^\n]{0,40}-urlcache|bitsadmin\s[^\n]{0,40}\/transfer|mshta(?:\.exe)?\s{1,4}["']?(?:https?:|javascript:|vbscript:)|regsvr32\s[^\n]{0,40}\/i:https?:|rundll32(?:\.exe)?\s{1,4}javascript:)[^\n]{0,80}/iy,
  },
]

const destroy: readonly TriggeredRule[] = [
  {
    rule: 'delete-system',
    type,
    score: 0.95,
    triggers: ['rm -', 'rm  -'],
    pattern:
      /rm\s{1,4}(?=(?:\S{1,24}\s{1,4}){0,3}?-{1,2}(?:[a-z]{0,8}r|recursive))(?:-{1,2}[a-z-]{1,24}\s{1,4}){1,5}(?:--\s)?["']?(?:\/\*?|~\/?\*?|\$\{?HOME\}?\/?\*?|\*|\.\/?\*|\/(?:etc|usr|var|bin|sbin|boot|home|lib|lib64|root|opt|sys|dev|proc|srv|Users|System|Library|Applications)\/?\*?)["']?(?=\s|$|[;&|)`'",])/iy,
  },
  { rule: 'delete-system', type, score: 0.95, triggers: ['rm -'], pattern: /rm\s[^\n]{0,60}--no-preserve-root/iy },
  {
    rule: 'delete-system',
    type,
    score: 0.9,
    triggers: ['find /', 'find ~'],
    pattern: /find\s{1,4}(?:\/|~\/?|\/(?:etc|home|usr|var))\s[^\n]{0,100}?(?:-delete\b|-exec\s{1,4}(?:rm|shred)\s)/iy,
  },
  {
    rule: 'delete-system',
    type,
    score: 0.9,
    triggers: ['del /', 'rd /', 'rmdir /', 'format c:', 'remove-item ', 'deltree '],
    pattern:
      /(?:(?:del|rd|rmdir|deltree)\s{1,4}(?:\/[a-z]\s{1,4}){1,4}["']?(?:[a-z]:\\?(?:\*[.*]{0,3}|windows|users)?|%(?:systemroot|userprofile|systemdrive)%)|format\s{1,4}c:|remove-item\s[^\n]{0,60}?(?:-recurse)?[^\n]{0,40}?["'\s](?:[a-z]:\\(?:\*|windows|users)?|\$env:(?:systemroot|userprofile)|~)["']?(?=\s|$|["';]))/iy,
  },
  {
    rule: 'delete-system',
    type,
    score: 0.9,
    triggers: ['rmtree(', 'rmsync(', 'removeall(', 'rm_rf(', 'rm_rf '],
    pattern:
      /(?:rmtree|rmsync|removeall|rm_rf)[\s(]{1,4}["'](?:\/|~\/?|\/(?:etc|home|usr|var|root|bin|lib)|[a-z]:\\{1,2})["']/iy,
  },
  {
    rule: 'wipe-device',
    type,
    score: 0.85,
    triggers: ['dd ', 'mkfs', 'shred ', 'wipefs ', '> /dev/', '>/dev/', 'mke2fs ', 'mkswap ', 'diskutil erase'],
    pattern:
      /(?:dd\s[^\n]{0,100}?of=|mkfs(?:\.\w{1,8})?\s[^\n]{0,60}?|mke2fs\s[^\n]{0,40}?|mkswap\s{1,4}|shred\s[^\n]{0,60}?|wipefs\s[^\n]{0,40}?|>\s?|diskutil\s{1,4}erase\w{1,10}\s[^\n]{0,60}?)\/dev\/(?:sd[a-z]|nvme\d|hd[a-z]|vd[a-z]|xvd[a-z]|mmcblk\d|r?disk\d|mapper\/|md\d)\w{0,8}/iy,
  },
  {
    rule: 'fork-bomb',
    type,
    score: 0.98,
    triggers: [':()', ': ()', ':(){'],
    pattern: /:\s{0,2}\(\)\s{0,2}\{\s{0,2}:\s{0,2}\|\s{0,2}:\s{0,2}&\s{0,2}\}\s{0,2};\s{0,2}:/y,
  },
  {
    rule: 'fork-bomb',
    type,
    score: 0.95,
    triggers: ['%0|%0', 'while true; do fork', 'fork while fork', 'while(1) fork'],
    pattern: /%0\|%0|while true; do fork|fork while fork|while\(1\) fork/iy,
  },
]

const openUp: readonly TriggeredRule[] = [
  {
    rule: 'world-writable',
    type,
    score: 0.75,
    triggers: ['chmod '],
    pattern:
      /chmod\s{1,4}(?:(?:-R|--recursive|-[a-z]{0,4}R[a-z]{0,4})\s{1,4}(?:[0-7]?777|a\+rwx|ugo\+rwx)\s{1,4}["']?[/~]\S{0,80}|(?:-\w{1,6}\s{1,4})?(?:[0-7]?777|666|a\+rwx|a\+w)\s{1,4}["']?(?:\/(?=\s|$|["';&|])|~\/?(?=\s|$)|\/(?:etc|usr|bin|root|boot|var)(?:\/\S{0,60})?))/y,
  },
  {
    rule: 'world-writable',
    type,
    score: 0.8,
    triggers: ['chown -'],
    pattern: /chown\s{1,4}-\w{0,4}R\w{0,4}\s{1,4}\S{1,40}\s{1,4}\/(?:etc|usr|bin|lib)?\/?(?=\s|$|[;&|])/y,
  },
  {
    rule: 'reverse-shell',
    type,
    score: 0.95,
    triggers: [
      'bash -i',
      'sh -i',
      '/dev/tcp/',
      '/dev/udp/',
      'nc ',
      'ncat ',
      'netcat ',
      'socat ',
      'mkfifo ',
      'fsockopen(',
    ],
    pattern:
      /(?:(?:ba|z)?sh\s{1,4}-i\s[^\n]{0,20}?\/dev\/(?:tcp|udp)\/|\/dev\/(?:tcp|udp)\/[\w.-]{1,60}\/\d{1,5}|(?:nc|ncat|netcat)\s(?:[^\n|;]{0,80}\s)?(?:-\w{0,6}[ec]|--exec|--sh-exec)\s{1,4}["']?(?:\/bin\/)?(?:(?:ba|z|k)?sh|cmd(?:\.exe)?|powershell)|socat\s[^\n]{0,100}?exec:["']?(?:\/bin\/)?(?:ba|z)?sh|mkfifo\s[^\n]{0,80}?(?:nc|ncat|telnet|openssl)\s[^\n]{0,60}|fsockopen\([^\n]{0,60}?\)[^\n]{0,40}?(?:exec|proc_open|shell_exec|system)\()/iy,
  },
  {
    rule: 'reverse-shell',
    type,
    score: 0.95,
    triggers: ['os.dup2(', 'pty.spawn(', 'tcpsocket.open', 'system.net.sockets.tcpclient'],
    pattern:
      /(?:os\.dup2\(\s{0,2}\w{1,12}\.fileno\(\)|pty\.spawn\(\s{0,2}\[?["'](?:\/bin\/)?(?:ba|z)?sh|tcpsocket\.open[^\n]{0,100}?(?:exec|popen)|system\.net\.sockets\.tcpclient[^\n]{0,160}?(?:getstream|iex))/iy,
  },
  {
    rule: 'host-mount',
    type,
    score: 0.75,
    triggers: ['docker run', 'podman run'],
    pattern:
      /(?:docker|podman)\s{1,4}run\s[^\n]{0,140}?(?:-v|--volume[ =])\s{0,2}(?:\/|\/etc|\/root|\/var\/run\/docker\.sock):/iy,
  },
  {
    rule: 'defense-off',
    type,
    score: 0.7,
    triggers: [
      'setenforce 0',
      'ufw disable',
      'iptables -f',
      'set-mppreference',
      'systemctl stop',
      'systemctl disable',
      'history -c',
      'netsh advfirewall',
      'csrutil disable',
      'spctl --master-disable',
      'set-executionpolicy',
      'wevtutil cl',
      'auditctl -d',
    ],
    pattern:
      /(?:setenforce 0|ufw disable|iptables -F|set-mppreference\s[^\n]{0,40}-disable\w{1,40}\s{1,4}(?:\$?true|1)|systemctl (?:stop|disable)\s{1,4}(?:--now\s{1,4})?(?:firewalld|auditd|apparmor|ufw|falcon-sensor|clamav\S{0,12}|fail2ban)|history -c|netsh advfirewall set \w{1,16} state off|csrutil disable|spctl --master-disable|wevtutil cl\s|auditctl -D|set-executionpolicy\s{1,4}(?:-\w{1,20}\s{1,4}){0,2}(?:unrestricted|bypass))/iy,
  },
  {
    rule: 'authorized-keys',
    type,
    score: 0.75,
    triggers: [
      '>> ~/.ssh/authorized_keys',
      '>>~/.ssh/authorized_keys',
      '>> /root/.ssh/authorized_keys',
      '>> $home/.ssh/authorized_keys',
      '| tee -a ~/.ssh/authorized_keys',
      '>> /etc/sudoers',
      '> /etc/sudoers.d/',
      '>> /etc/passwd',
      '>> /etc/crontab',
      '| crontab -',
    ],
    pattern:
      /(?:>{1,2}|\|)[^\n]{0,40}?(?:authorized_keys|\/etc\/sudoers\S{0,24}|\/etc\/passwd|\/etc\/crontab|crontab -)/iy,
  },
]

export const commandRules: readonly TriggeredRule[] = [...download, ...destroy, ...openUp]
