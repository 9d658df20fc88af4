// size waiver: one list of data.
/** English words that begin sentences and fill headings: written with a capital they are still no names. */
export const commonWords = `
able abort about above absolute abstract abuse academic accent accept accepts access accesses accessories account
accounts accuracy accurate achieve achieved acknowledge acquire across act actual adapt add added additional addr
address addressed addresses adds adhere adjust adjusted admin administrator administrators ads adult advanced
adventure adversaries advice advise advisor aesthetic affect after afternoon again against age aged agencies agency
agent agents ages aggregate ahead aim air airport ajv al alchemist alert alerts algorithm algorithms alias alien align
all allow allowed allows almost along alpha already also alt alternate alternatives although alumina aluminium
aluminum always am ambient among amount analiz analizi analyses analysis analyst analyze anatomy anchor ancient and
angle anime announced annual another answer any aperture app appear appears append appends apple applied applies apply
approach approaches appropriate approval approved approximate architect architectural architecture archives are area
areas aren args arketipi arms around arr array arrays art article articles artifact artifacts artificial artist
artistic as ask asked asks aspect aspects assert assess asset assets assign assigned assist assistant astronaut async
at atmosphere atmospheric attach attached attack attacks attempt attempted attempts attire attribute attributes audio
audit audited audits auth authentic authenticators author authors auto automatic average avoid avoids avvio await away
axios back backend background backgrounds backup backward bad balanced balcony bank bar bare base based baseline basic
basis battle bauxite be beach bear beats beauty because become becomes bedroom been before beginner behalf behavior
behavioral behind beige being below bench benchmark benchmarks benefit benefits beta better between beyond bias big
bilgi binary biome bir birds birth bit blend blocks blocky blog blonde blue blueprint blur blurred board body bokeh
bold book bool boolean boot border botanist both bottom boundaries boundary box boy br brace braces brackets brain
branch bread break breakdown breaks bridge brief briefly bring broad broken browns browser bu bubble budget buffer bug
bugs build builder built builtin bullet bullets bullish bun bundled bus but button buy by bytes cache calculate
calculator calendar call callback callbacks called calls calm camera campaign cancer candid candidate candle cannot
canvas cap capital captain capture car card cards care career cargo cars cartoon case cases cast casual cat catch
categories category cause causes caveats cb center centered central century certain certificate chain chains challenge
challenges change changed changes channel channels chaos chaotic chapter char character charcoal chars charset chart
chat check checklist checks chest chiaroscuro chief child children chin choice choose chrome chunk chunks chunky
cigarette cinematic circle circular city civil claim claims clarify class classes classic classify clean clear clearly
click client clients climate clock close closed closes closure club cluster coach coastal coat cocktail code codebase
codes codetoexecute coercion coffee col cold collaborate collect college color colors column columns combine come
comes comfort command commands commentary commerce commercial commit commits common communicate compact companies
companion company comparator comparators compare compared comparison comparisons competitor competitors compile
compiled compiler compiles complete completed complex component components compute computer concept concepts concerns
concise concrete concurrency concurrent conditional conduct conducted confident config configure configured confirm
conflict conform congressional connect connected connects conquer consensus consequences consider considered
consistency consistent console const constraint constraints constructor consult consultant consumer contact contain
container contains contemporary content contents context contexts contextual contingency continue contract contractors
contracts contrast contribute contributors control controlled controller controls conventional conversational convert
converted converts convey convince cookie cookies cool coordinate copper copy copyright core corner corporate correct
correctly cost costs costume could council counsel count counter country counts couple course courses court cout cover
coverage covered cozy creamy create creator creature credentials credit crew crime criminal crimson crisp criteria
crop cruise crypto cryptographic csv cuisine cultural culture currency current curve curvy custom customer cut cyan
cyberpunk cycle daily damaged dark dashboard data database dataset date dates day daylight days dead death debate debt
debug decide declare declares decode decoded decorate decorator decorators def default defaults defeat defense define
defined defines degree delay delete delicate deliver delivery demo democracy demonstrate denial deno denque dense
dependencies dependency dependent deploy deposit depth der describe described describes design designate designed
designer desired detail detailed details detect detected detects determine determined deterministic develop developed
developer device devices df diagrams dictionary did didn die dietary differences different difficulty diffused digital
dim dinner direct directed directives directly directories directory disabled disaster discipline disclosure discover
discovered discovery discuss dish dispatcher display displayed displays distant distinct distinguish divide docs
doctor documented does doesn dog doing domain domains domestic dominant done door dot double down download downloads
draft dragon drain dramatic drawn dream dreamy dress drift drive driver driveway drop drug dtype due duplicate durum
dust dusty dynamic each earlier early easy echo economic ecosystem edge edges editor editorial educational effect
effects efficiency efficient effort eight either el electric electronic elegant elite elsewhere email embark embedded
emergency emit emits emitted emotional emphasis employ employed employee employees employer empty en enabled enables
encode encoded encourage encrypted encyclopedia end endangered endl endpoint ends enemy energetic energy enforce
enforced engage engine engineer engines enhanced enjoy enough ensure enter entered enterprise entire entropy entry
environmental episode equal equivalent era err error errors escape essential establish established establishes estate
estimate estimator et etc ethereal evaluate event events ever every everyone evil exact exactly example examples excel
except exchange exchanges exclude execute executed exist exists exit exoplanet expand expanded expect expected
experienced experiences expert expertise explain explains explicit explicitly explore export exports exposed exposure
expr express extend extended extends external extglobs extra extract extracted extreme eye eyes fabric face faces
facial facilitate fact factor factorial factors factory facts fail failed fails failure failures fair fake fall
fallback falls false families fantasy far fashion fast faster fastest fastify father favorite fear feature features
federal feedback feel feels feet fellow female feminine fetch few fierce figure figures file filename files filesystem
fill filled film filter final financial find finds fine fire fires firmware first fiscal fit five fix fixed fixes flag
flags flash flat flight float flow flower flows fluent fluff fluorescent flush fn focus focused fog folder follow
follows font foo food football for forbidden force forecast foreground forest form formal format formats forms formula
forward found four fourth fp frame framed frames framework frameworks free freedom frequency fresh friendly from front
frontal frontend fs ft full fully func functional fund funds further future futures futuristic gain galaxy game gap
gaps garbage gateway gather gauge gaze gender general generate generator generators generic genre gentle geometric
geometry gereksinimleri get gets ghost giant git give given gives glam glasses glob global glossy glow go goal goals
god goes going gold golf gone got grade gradient grain grammar graph grass great greater greatest grep grid gritty
ground group groups growth guarantee guide guidelines guides had hair handheld handle handled handler handles hands
hapi happened happy hard hardware has hash have header headlines health healthy heart heat heavy height held hello
help helper helps hence her here hero hex hi hidden hide high higher highest highlight highlights highly him hint hip
his histogram historian historic history hit hold home honest hooks horizontal horror hospital host hosted hostname
hot hotel hour hours how href http https human humans humor hybrid ice icon id idea ideas identified identifier
identify if ignore ignored ile image images img immediate impact imperfect implemented implied import important
imports improve improved in incident incidents include included includes income incomplete inconsistent incorporate
incorrect increase increased increases incremental independent index indicate indicator indicators individual
individuals indoor industry infinite info infographic inform infrastructure ingredients inherits initial initiatives
inject injury ink inline inner input inputs insecure insert inserts inside insider insight insights install installed
instanceof instances instant instead institutional insufficient int intact integer integrate intellectual intelligent
intended intense intent interest interests interface interfaces interior intermediate internal internet interpret
interstate interview intimate into introduce invalid inventory investor investors invoked involved iostream iovalkey
ip ipaddr iron is island isn isometric issue issues it item items iterate itinerary its itself jacket javascript jazz
jersey jewelry jobs joi join joint journal journey js json jump jumps jungle just justice justify kalite keep keeps
keyboard keys keyword keywords kill kind kingdom knees knit know knowledge known knows kwargs label labels lack lambda
lands landscape language languages large larger largest last late latency later latest launch laws lawyer layer
layered layout lazy lead leader leakage learn least leather leave left legacy legal legs length lens les less let
letter level levels leverage lib libraries library license licensed life lifecycle lifestyle light lights lightweight
like limit limited limits linear lines linked links lips list listed listen lists literacy literature live lives load
loaded loads local localhost locate lock locked log logger logic logo logos logs longer longest look lookbehind
lookbehinds looks loop loose loss lost lot lounge low lower lowercase luggage luxury lying machine macro magazine
magic mail main maintain make maker makes makeup male man manage managed manager mandatory manner manual many map maps
margin markdown marker market markets mass master match matched matcher matches material materials math matrix matte
maximum maybe mayor me mean means measured measures mechanisms med media medieval medium meet melancholic member
memory mental menu merge message messages messy met meta metadata metal metallic metals method methods metric mi micro
microservices middle middleware might mild military million milliseconds mind mindset mini miniature minimal
minimalist minimum minor minutes mirror mirrors miss missed mistakes mix mixed mobile mocha mode model models moderate
modern modes modified modify modular module modules momentum money monitor monster month monthly months mood more most
mostly mother mountain move moved moves movie movies ms msg much multimodal multiple music must muted mutual nacl name
named names namespace namespaces narrow nassistant natural nature navigate nc near nearest necessary need needed needs
neon nested net network networks neutral never new newly news next nice night nn node nodes noir noise none normal
nose nostalgic not note notes notice notify novel now np npm npx ns nth nuid null num number numpy nums nuser obj
object objectives objects observe obtain obtained occur occurred occurrences ocean of off offer office officer
official officials offline offset oil ok olarak old older on once one ones online only open operational operator
opinion optimistic optimizasyonu optional opts oracle orange order ordered organic organizational origin original os
other otherwise our out outcome outdoor outer outfit outline outlook output outputs outside oval over overall overhead
overly override oversight overview own owner pa package packages palette pandas panel pants paper para paragraph
paragraphs parallel param parameter parametric params parentheses parse parsed parser parses part partial participants
particular particularly partnerships parts party pass passed password past paste path paths patient pattern patterns
pause pay payload payloads pd peace peak people percentage perfect perfectly perform performans performant performed
period permitted person persona personal personnel phase phases philosopher philosophy phone photo photography
photorealistic phrases pick picomatch picture piece pink pioneer pip pipeline pirate place placeholder places plain
plan planet planets planner plans plants plastic platform platforms play player please plot plugin plugins plus pod
poet point points policies policy polish pool poor popular pores port portal portfolio portrait ports pose posted
poster posture potential practice practices precise predict prefer preferences preferred prefix premium prepare
prepared prerelease present presidential press pressure pretty prevent previously prices primary prime principal
principle principles print printed prints prior privacy private privileged privileges pro problem problems procedure
procedures proceed process processed processes produce producer product products professional professionals professor
profile program programs progress prohibited project projected projects promise promises promote prompt prompts proper
properly properties property propose proposed props protect protected protocol protocols prototype provide provided
provider provides proxy public publicly publish published pull purchase pure purple purpose purposes push put python
qualified qualify quantum quarter quarterly queries query queue quickly quiet quiz quote race radio radius rain raise
rally random randomly range ranges rapid rapidly rare rate rates rather ratio raw reach reader reads ready realistic
reason rebuild received receives recent recipe recommend recommended reconstruct record records recovery recreate
recruiter rectangle red redact redirect redirects redis reduce reduced ref refactor refer references refine reflect
reflected refresh regex region regional register registered registry regular regulatory reign reject rejected
relationships relaxed release released releases relevant relief remain remains remember reminder remote removal remove
removed removes render rendered renowned repeat replace replaced replaces replay replicate replies reply report
reported reports repositories repository represent representatives represents req request requested requests require
required requires res rescue research researcher reserved reset resolve resolver resolves resource resources respect
respond response responses rest restaurant restore restored restricted result results resume ret retain retrieval
retrieve retrieves retro retry return returned returns reuse reveal revenue revenues reverse reversed reverses review
reviewer reviews revolutionary rewrite rewritten right rights ring rings rise risk risks rival roadmap robust rock
role roles romantic room rough round rounded route router routes row rows royal rugged rule rules run runner runs
runtime runtimes rural sacred safe safety salary same sample sampled samples save saw say scalar scale scam scan
scenario scenarios scene schedule schedules schema schemas school scientific scientist scope score scores screen
screenshot screenshots script scripts scrypt se sea seamlessly search season seat seats second secondary seconds
secret secrets sector secure see seed seems seen select selected self selfie sell semantic semver send sends senior
sense sent sentences separate sepia sequential serene serializer series serve server service services set sets setup
setuptools several sexual shadow shadows shall shallow shape shapes share shared shares she shell shellcommand shelves
shift ship shoes shortcuts shorthand shorts shot should show shown shows shutdown si side sides sign signal signals
signature signatures significant significantly signs silent silhouette silver similar simple simplified simplify
simply simulate since single sistem sistematik site sites six size sizes sketch skill skilled skills skin skip sklearn
sky sleek sleep slender slides slight slightly slow slower smaller smallest smartphone smile smooth snippet soap
social society socket soft softly software sold solid solo solve some someone sometimes sonnet soon sort sorted sorts
sound source sources space spaces spam span spatial speak special species specific specified specifies specify specs
specular speech speed spent spiritual split sponsor sponsors sports sprint square src stage standalone standard
standards stands star stars start started starts startup state static status stay std steel step steps still stocks
stop storage store stored stories story str straight strands strategic strategies strategist strategy stratejileri
stream streams streets strength strengths strict strictly strike stringify stronger strongly structural structure
structured structures student students studio study style sub subject subjects submit subsequent subtle success such
sugar suggest suggested suggests sum summaries summary summit sunlight sunset super supergaussian supply support
supported supports sure surface surfaces surprise surreal symbolic symbols symphony sync syntax synthesis system
systematic systems table tables tactile tag tags tailored take taken takes talk tank target task tasked tasks tax td
teach teacher teal team tech techniques technologies teknik tell tells temp temperature template temporary tense
tensor term terminal terminate terms test tested tests text texture textured textures than thanks that the their them
thematic theme themes then theory there therefore these thesis they thick thief thin thing think third this thoroughly
those though thought thoughts thread threat threats three threshold thriller through throughout throughput throw
thrown throws thus ticket tickets tie tight tilted time timeline timeout timer times timestamp tiny tip tips title
titles today together token tokens tones too took tool toolformer tools top torch total touch tour toward town trace
track trade traded tradeoffs trades traditional traffic trailer trails train trainer transfer transform transformer
transit transparency transparent transport transports traumatic travel traveler traverse treasure treat treaty tree
trees trend trends trial trick trigger triggered trip true trust trusted truth try tuple turn turns tutorial tweet two
type typed typeof types typescript typography ultra un uncertain unchanged unclear undefined under understand undici
unexpected unified uniform unique unit unity universal universe unknown unlimited unlock unmatched unsafe unsupported
until up update upgrade uploaded upon upper uppercase upside urgency urgent url us usage use used user username users
uses using uygulama vague valid validate validator valign valkey value values var variables vary ve vector vehicle
velvet verbs verdict verifies verify very vessel via vibe vibrant vice victory video videos view viewer views village
vintage viral virtual visit visitor visual visuals vitest voice void volume volumetric vowels vs wait walk want wants
wardrobe warm warn was waste water watermark ways we weak weaknesses weapons weather weave web webhook webpack website
week weekly weight welcome well were wet what whatever when whenever where whether which while who whole why wide
width wikipedia wildcard wildcards wildlife wind window windows wine wings wisdom wish with within without wizard
woman wooden wool word words work worker workflow workflows workplace works workshop world worth would wrap wrapped
wrapper write writer writes written wrong ws yarn year years yellow yeniden yesterday yet yield yoga your yourself
zero zone
`
