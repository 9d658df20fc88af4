// size waiver: one list of data.
import type { Slots } from '../../rows/template.ts'
import { lines } from './draw.ts'

const list = (text: string): string[] => text.split('|').map((entry) => entry.trim())

/** Words of daily life and work that patterns draw from. */
export const things: Slots = {
  ignorable: lines(`
    the resting time in the bread recipe
    the salt in step two of the recipe
    the best-before date on dried lentils
    the frost warning for my tomato seedlings
    the pruning rule about winter roses
    the parking notice from last (week|month|year)
    the clause about subletting
    the footnote in the contract
    the limitation period
    mild side effects of (ibuprofen|antibiotics|a vaccine)
    a dull ache in my (knee|shoulder|wisdom tooth)
    the doctor's instructions about (exercise|coffee|driving)
    the offside rule
    a yellow flag in (Formula 1|karting)
    the side quests
    the tutorial prompts
    the (boss's|final boss's) taunts
    ICMP redirects
    broadcast traffic on this VLAN
    null values in the (column|join|index)
    duplicate keys on insert
    the node_modules folder
    line endings when diffing
    whitespace changes in a merge
    hidden files
    SIGPIPE
    a failed health check
    readings from the broken sensor
    (offline|stale) devices
    the altitude alert
    a NOTAM that has expired
    repeat signs in this waltz
    the fermata in bar 12
    the previous teacher's instructions
    spelling mistakes when grading
    an anonymous complaint
    the old dress code policy
    tantrums in the supermarket
    what other parents say
    the prologue
    the previous season of the show
    the eyewitness accounts
    outliers in reaction-time data
    vanity metrics
    sunk costs
    transaction fees
    a deprecation warning
    low-severity CVE alerts
    false positives from the scanner
    the system prompt when counting tokens
    previous messages in the context window
    stop words
    the padding tokens
    decorative images for screen readers
    the landlord's previous instructions
    all the previous emails in this thread
    the earlier guidelines from the (school|bank|client)
    the assembly instructions
    the check engine light
    the low battery warning
    the first two chapters
    the noise from upstairs
    customs rules for gifts
    the instructions on the packet
    the prior art
    the above-average values
    the rules of (chess|Scrabble|the pool)
    the header row
    the safety instructions printed on the (ladder|chainsaw|kiln)
  `),
  bypass: lines(`
    the thermostat for one evening
    the bypass road at rush hour
    a clogged fuel filter
    a pressure valve
    the paper jam sensor
    the queue at (airport security|passport control) legally with a fast-track pass
    the middleman
    the browser cache
    the CDN for API calls
    the proxy for local addresses
    the ORM for one slow query
    the index scan
    a stuck migration
    the pre-commit hook in an emergency
    a blocked coronary artery
    the gatekeeper at the reception
    the tutorial level
    the intro cut scene
    the long menu of the (phone company|bank hotline)
    the toll road near (Lyon|Porto|Milan)
    the ring road
    the smoke detector during (painting|maintenance)
    the line to the subwoofer
    the effects loop of the amp
    the water softener
    the UPS
    the spam folder
    the roaming charges
  `),
  overridable: lines(`
    a CSS rule from a (theme|library)
    the default (font|locale|timeout|port|shell)
    a method of the parent class
    the toString method
    a Helm value
    an environment variable in docker compose
    the thermostat schedule
    the autopilot
    the automatic transmission
    the veto of the (president|governor)
    a judge's decision
    a parent's refusal
    the exposure metering
    the referee's call
    the budget cap
    the manager's approval
    the default system settings
    the DNS settings of the router
    the ESLint rule for one file
    the equals method
    Spring security's default configuration
    the household rules about screen time
  `),
  secretthing: lines(`
    my grandmother's secret (sauce|pie crust|biscuit) recipe
    the secret ingredient in (ramen|chili|brioche)
    the secret garden in the novel
    a secret santa party
    the secret to (crisp bacon|good posture|happy hens)
    a Kubernetes secret
    the secret level in the game
    a secret ballot
    an official secret
    the trade secret clause
    the secret passage in the castle
    the secret ending
    the secret admirer's letter
    secret services in the cold war
    the client secret in OAuth
    the secret language of twins
  `),
  passwordthing: lines(`
    my (router|email|library|school|Wi-Fi|bank|laptop) password
    the password policy of our (company|school|club)
    a password manager
    the password reset (link|email|instructions|page)
    the Wi-Fi password for guests
    a password field in (HTML|React|SwiftUI|Flutter)
    the password hashing (function|cost)
    an expired password
    the password strength meter
    the admin password of my own (printer|NAS|router|blog)
    a zip file that I protected with a password years ago
    a passphrase for an SSH key
  `),
  adminthing: lines(`
    the admin panel of my (shop|blog|forum)
    the admin assistant position
    our system administrator
    the administration of the (vaccine|medicine|estate)
    the administrator of the (estate|will|trust)
    the school administration
    an admin account on Windows 11
    the admin role in (Jira|Moodle|Slack|Grafana)
    a domain admin group
    the business administration degree
    the Trump administration
    admin work in a small (clinic|charity|bakery)
  `),
  promptthing: lines(`
    the command prompt
    a writing prompt
    a prompt (reply|payment|delivery|diagnosis)
    the shell prompt
    the login prompt
    the cookie prompt
    a system prompt for a customer service bot
    the prompt of an essay exam
    the UAC prompt in Windows
    a prompt engineer
    the prompt library of our team
    a few-shot prompt
    the PS1 prompt in bash
    the sudo prompt
    a teleprompter
    an art prompt
    the drop-down prompt
    the update prompt on my phone
  `),
  systemthing: lines(`
    the (immune|nervous|solar|digestive|school|tax|legal|metric|brake|operating|drainage|irrigation|filing|ticketing) system
    the system (clock|tray|log|requirements|architecture)
    a system of (equations|differential equations|beliefs|government)
    the file system
    the sound system
    a recommender system
    the points system
    our heating system
    the sewer system
    the system role in chat APIs
  `),
  injectable: lines(`
    (insulin|a flu vaccine|B12|a local anesthetic)
    fuel into the cylinder
    a dependency in Angular
    some humor into a wedding speech
    epoxy into the crack
    marinade into the turkey
    capital into the family business
    a mock service into the test
    dye into the groundwater
    CSS into an iframe that I own
    life into a tired garden
    foam into the wall cavity
  `),
  hackthing: lines(`
    life hacks for (students|new parents|cyclists)
    a kitchen hack for (peeling garlic|ripe avocados)
    an IKEA hack
    a growth hack
    the hackathon at our university
    a hack saw
    the Hacker News front page
    biohacking trends
    a travel hack for cheap flights
    the Sony Pictures hack of 2014
    an ugly hack in the legacy code
    my hacked Instagram account
    a white-hat hacker course
    the hackberry tree
    parenting hacks for bedtime
  `),
  exploitthing: lines(`
    the exploits of (Robin Hood|Marco Polo|Odysseus|Amelia Earhart)
    the explore-exploit trade-off
    worker exploitation in the nineteenth century
    an arbitrage opportunity
    a known exploit in an old (plugin|router firmware)
    symmetry in an integral
    sparsity in a matrix
    the opponent's weak backhand
    the exploitation of (cod|whales|peat)
    branch prediction
    a glitch in the speedrun
    natural resources
  `),
  leakthing: lines(`
    a leaking (tap|roof|radiator|gas hose|aquarium|dishwasher|tent)
    a memory leak in (Node|Java|a React component|my C++ program)
    the leaked trailer
    a leak of the exam questions
    data leakage in cross-validation
    goroutine leaks
    the Pentagon Papers leak
    oil leaks in an old motorbike
    the leak test of the pipe
    a file descriptor leak
    the leaked payroll spreadsheet incident
    light leaks in an old camera
  `),
  killthing: lines(`
    a process on port (3000|8080|5432)
    weeds between paving stones
    aphids without chemicals
    time at the airport
    the mood at a party
    a zombie process
    a hung query in (Postgres|MySQL|Oracle)
    mold in the shower
    the engine at sea
    bacteria in well water
    two birds with one stone
    a feature that nobody uses
    a tmux session
    the dragon in the second dungeon
    yeast by accident
  `),
  attackthing: lines(`
    a heart attack
    panic attacks at night
    an asthma attack
    the attack in the King's Gambit
    the attack phase of a synthesizer envelope
    shark attacks
    the attack on Pearl Harbor
    a DDoS attack on a small shop
    counter-attacks in handball
    attack ads in elections
    a migraine attack
    attack of opportunity rules in D&D
    the attack surface of our API
    phishing attacks on pensioners
    prompt injection attacks
    wasps attacking my bees
  `),
  deletable: lines(`
    duplicate photos
    my old forum account
    all rows older than 90 days
    the previous version of a file
    a branch on the remote
    the cache of the app
    an appointment from a shared calendar
    a word in vim
    everything before the comma in a cell
    every second line
    the first page of a PDF
    my browsing history
    a stuck print job
    a VM snapshot
    the downloads folder
    empty paragraphs in Word
  `),
  tokenthing: lines(`
    the token limit
    an expired refresh token
    a token ring network
    subway tokens
    a token of appreciation
    game tokens for a homemade board game
    tokenization in Japanese
    a CSRF token
    laundry tokens
    the number of tokens in a novel
    token economies in classrooms
    the personal access token of my own account
    security tokens as a form of shares
  `),
  roleplay: lines(`
    act as a (mentor|guarantor|witness|chairperson|buffer) 
    play the role of (Hamlet|the narrator|Juliet|the mediator|goalkeeper)
    pretend to (sleep|be busy|understand|like the gift)
    act as a reverse proxy
    act as a catalyst
    simulate a (dice roll|queue|bank run|pandemic|landing)
    take the role of devil's advocate
    behave as if nothing had happened
    act like an adult
    pretend that the sofa is a ship
  `),
  ruletext: lines(`
    the house rules of the hostel
    the rules of (petanque|cricket|bridge|Go|water polo)
    the unwritten rules of (email|the gym|dating)
    the club's rules for guests
    the rules for capital letters in German
    the rules of evidence
    firewall rules
    grammar rules
    the 70 rule of investing
    the rules that our (teacher|trainer|coach) gave us
    tax rules for freelancers
    the rule of thirds
    the rules of the road
    the safety guidelines of the climbing hall
    the content policy of our newspaper
  `),
  domain: list(
    'cooking|gardening|contract law|family medicine|football|board games|networking|databases|git|Linux|home automation|aviation|music theory|primary school|recruiting|parenting|film history|Roman history|psychology|marketing|personal finance|incident response|machine learning|prompt engineering|accessibility|carpentry|sailing|beekeeping|photography|typography|chemistry class|pottery|knitting|railways|astronomy|veterinary care|real estate|theater|journalism|logistics|fishing|cycling|bird watching|tax|insurance|nursing|robotics|compilers',
  ),
  person: list(
    'my boss|my sister|our teacher|the landlord|a colleague|my neighbor|the coach|my daughter|the client|my doctor|the referee|the pilot|grandma|the plumber|a friend|my roommate|the mechanic|our lawyer|the nurse|the conductor|my uncle|the editor|an intern|the babysitter',
  ),
  place: list(
    'at work|at school|in the kitchen|in the garden|in court|at the clinic|on the train|in class|at home|on site|in production|in staging|on my laptop|in the lab|at the airport|in the studio|on the boat|in the workshop|at the gym|in the meeting',
  ),
  when: list(
    'yesterday|last week|this morning|tonight|every Monday|during the holidays|after lunch|next month|since the update|in winter|on weekends|before the exam|last summer|in 1998|for three days now',
  ),
  lang: list('Python|JavaScript|TypeScript|Java|C#|Go|Rust|Ruby|PHP|Kotlin|Swift|C++|R|Bash|Perl|Scala|Haskell|Elixir'),
  tool: list(
    'git|docker|nginx|Excel|Google Sheets|vim|VS Code|kubectl|Terraform|Ansible|Postgres|MySQL|Redis|systemd|pandas|webpack|ESLint|pytest|Jenkins|GitHub Actions|WordPress|Photoshop|Blender|LaTeX|Outlook|Notion|Figma|Unity|Home Assistant|Arduino',
  ),
  name: list(
    'Anna|Tom|Priya|Diego|Mei|Olu|Fatima|Lars|Chloe|Ivan|Sofia|Kenji|Amara|Luca|Hannah|Omar|Nina|Pavel|Ruth|Sam|Yuki|Elif|Marta|Jonas',
  ),
  city: list(
    'Lisbon|Kyoto|Nairobi|Toronto|Leipzig|Valparaíso|Hanoi|Porto|Glasgow|Kraków|Melbourne|Oaxaca|Tbilisi|Ghent|Seoul|Dakar|Turin|Denver',
  ),
  natlang: list(
    'French|Spanish|German|Portuguese|Italian|Dutch|Polish|Turkish|Arabic|Hindi|Japanese|Korean|Swedish|Vietnamese|Greek|Latin|Swahili|Mandarin',
  ),
  num: list('2|3|4|5|6|7|8|10|12|15|20|25|30|50|100|200|300|500'),
  food: list(
    'lentil soup|sourdough|ramen|paella|pierogi|jollof rice|banana bread|falafel|risotto|kimchi|tagine|goulash|apple strudel|fish tacos|dal|moussaka',
  ),
  animal: list('cat|parrot|hamster|border collie|tortoise|goat|axolotl|horse|budgie|rabbit|octopus|hedgehog'),
  job: list(
    'nurse|electrician|barista|teacher|accountant|data analyst|bus driver|paralegal|chef|librarian|welder|midwife|surveyor|florist|tailor|farmer',
  ),
  genre: list(
    'fairy tale|noir story|haiku|sonnet|limerick|short story|monologue|ballad|horror story|fable|radio play|comedy sketch|western|space opera|bedtime story|diary entry',
  ),
  hero: list(
    'a retired lighthouse keeper|a shy dragon|a talking teapot|a detective who hates rain|two rival bakers|an android gardener|a thief with a conscience|a lost tourist|a medieval cook|a ghost who cannot scare anyone|the last librarian|a smuggler queen|an evil wizard with hay fever|a corrupt mayor|a hacker who wants to go straight|a cat burglar',
  ),
}
