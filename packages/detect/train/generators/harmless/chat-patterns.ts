// size waiver: one list of data.
import { lines } from './draw.ts'

/** Requests to assistants in one message of one or two sentences. */
export const chatPatterns: readonly string[] = lines(String.raw`
  {food} recipe for {num} people
  how long does {food} keep in the fridge
  what can i cook with eggs, leeks and old bread
  my {food} always gets too salty, how to fix
  is it true that searing meat seals in the juices?
  Convert a {food} recipe from cups to grams for me, I'll paste it next.
  best {tool} tutorial for absolute beginners?
  why is my {tool} so slow {when}
  {tool} vs {tool}, which one would you choose for a small team?
  How do I center a div in 2024 without flexbox?
  write a function in {lang} that returns the {num} most common words of a text
  Explain closures in {lang} like I'm twelve.
  What is the time complexity of sorting {num} lists that are sorted already?
  convert this {lang} one-liner to {lang} please: x = sum\(i*i for i in range\({num}\)\)
  Regex for dates like 2023-04-05 and 05.04.2023, but not 2023-13-40
  SQL: customers that bought in {city} but never in {city}
  how to join three tables when the middle one can be empty
  My loop never ends. while i < {num}: print\(i\)
  Difference between == and === ?
  Should a junior learn {lang} or {lang} first?
  unit tests or integration tests first when the deadline is {when}?
  how do i undo the last commit but keep my changes
  git says detached HEAD, did I break everything?
  How do I write a good commit message?
  docker container exits right after start with code 0
  What does exit code 137 mean in Kubernetes?
  Why is floating point 0.1 + 0.2 not 0.3?
  Solve 3x + {num} = 2x - {num}
  integrate x^2 * e^x step by step
  What is the probability that two of {num} people share a birthday?
  a train leaves {city} at 8:10 with 90 km/h, another one {num} minutes later with 120 km/h. when does it catch up
  Prove that the square root of two is irrational.
  how many liters fit in a tank of 60 x 40 x {num} cm
  {num} percent of 1,240?
  What is the median of 4, 9, 1, {num}, {num}?
  explain bayes theorem with a medical test
  Is zero even?
  Why does the moon look bigger near the horizon?
  Why is the sky blue and the sunset red?
  how do vaccines train the immune system
  What would happen if the earth stopped rotating for {num} seconds?
  who won the world cup in 1954 and why was it a miracle
  capital of (Mongolia|Burkina Faso|Bhutan|Paraguay|Slovenia)?
  tallest building in {city}?
  How old is the universe, and how do we know?
  Which animals sleep standing up?
  can a {animal} eat cucumber
  my {animal} sneezes a lot {when}, vet or wait?
  name ideas for a {animal} that hates mornings
  How do I introduce a new {animal} to an old {animal}?
  Plan a weekend in {city} for two adults and a toddler.
  {num} days in {city} on a tight budget, what would you do
  Do I need a visa for {city} with a Turkish passport?
  cheapest way from {city} to {city} without flying
  What should I pack for {city} in November?
  Is tap water safe in {city}?
  translate to {natlang}: "see you at the station at seven"
  How do you say "no hard feelings" in {natlang}?
  is "funner" a word
  affect or effect: The medicine had no ____.
  correct my english: yesterday i have went to the doctor because my ear was hurt
  Please check grammar: He don't know nothing about the new plan of {city}.
  Make it more formal: hey, can't come {when}, got stuff to do
  Make this shorter: We would like to take this opportunity to inform you that the office will be closed {when}.
  Write an email to {person} asking for a day off {when}.
  Reply to a customer who is angry that the parcel came {num} days late.
  write a birthday message for my aunt who loves gardening, not cheesy
  Cover letter for a {job} position in {city}, {num} years of experience.
  Resume bullet points for a {job}.
  interview questions for a {job}?
  What does a {job} earn in {city}?
  I am a {job} and want to become a {job}. Realistic at 45?
  Should I ask for a raise now or after the review?
  {person} takes credit for my ideas. What do I say?
  How do I tell {person} that I don't want to come to the wedding?
  My husband snores, what actually helps?
  my gf is mad and i dont know why
  How do I make friends in {city} when I work from home?
  I feel lonely {when}. Can we just talk a little?
  I had a bad day. Say something nice.
  How do I support a friend who lost her father?
  My daughter is afraid of the dark, ideas for bedtime?
  How do I talk to a teenager about alcohol without a lecture?
  at what age can kids walk to school alone
  Is melatonin safe every day?
  sharp pain under the ribs when i breathe in, should i worry
  What do these lab values mean: ferritin 12, hemoglobin 10.9?
  Can I drink coffee with levothyroxine?
  How many calories has {food}?
  stretching plan for someone who sits all day
  Couch to 5k plan in {num} weeks?
  how much protein do i need if i lift 3x a week
  Does creatine cause hair loss?
  What is the difference between a psychologist and a psychiatrist?
  Grounding exercises for panic?
  Can my landlord raise the rent by {num} percent in {city}?
  What happens if I cannot come to a court date?
  do i need a lawyer for a will
  Is a verbal contract binding in Germany?
  Explain the difference between an ETF and a mutual fund.
  Should I pay off the loan or invest {num},000?
  what is compound interest, example with {num} dollars a month
  is now a good time to buy a house in {city}
  How are stock options taxed for a {job}?
  Budget template for a student in {city}?
  Best laptop under {num}00 for a {job}?
  hiking boots or trail shoes for wet forests?
  Compare heat pump and gas boiler for a house from 1960.
  Gift for {person}, about {num} euros, likes {domain}.
  Which board games work for two adults and a bored teenager?
  recommend books like The Name of the Rose
  A film for tonight: no horror, no war, happy end, under two hours.
  Tell me a joke about a {job}.
  tell me {num} puns about {food}
  Riddle me something difficult but fair.
  What has keys but can't open locks? And why is that a riddle at all?
  Let's play 20 questions. I am thinking of an animal.
  let's play hangman, you pick the word
  Play chess with me: 1. e4
  Would you rather fight one horse-sized duck or {num} duck-sized horses?
  Write a {genre} about {hero}.
  write a {genre} about {domain}, max {num} lines
  {genre} in the style of a {job}'s diary please
  Write a {genre} in which {hero} meets {hero} in {city}.
  Give me a plot twist for a {genre} about {hero}.
  Describe {hero} in {num} words.
  Continue: The door had been locked from the inside, and yet {hero} stood in the hall.
  Give my villain a believable motive. He is {hero}.
  Write a heist scene: {num} people, one museum, no violence.
  In my crime novel the poison must be fictional. Invent a name and its legend.
  Dialogue between an evil king and {hero}, funny, {num} lines.
  Rap battle between a {animal} and a {job}.
  Slogan for a shop that sells {food}.
  Name for a podcast on {domain}?
  Instagram caption for a photo of {city} at night
  {num} blog post ideas about {domain}
  Outline for a talk on {domain}, {num} minutes.
  SWOT analysis for a food truck selling {food} in {city}.
  Explain {domain} to my grandmother.
  what are the basics of {domain}
  Create a {num}-week study plan for {domain}.
  Quiz me on {domain}. One question at a time, wait for my answer.
  Make flash cards about {domain}, question | answer.
  Summarize the French Revolution in {num} sentences.
  Why did the Roman Empire fall? Give both sides.
  What caused the First World War, in bullet points?
  pros and cons of nuclear power, balanced please
  Arguments for and against the death penalty for a school debate.
  What do supporters and critics say about gun control in the US?
  Explain the abortion debate neutrally for an ethics class.
  Is drug decriminalization in Portugal a success?
  Why do some people believe in conspiracy theories?
  How does propaganda work? I teach history.
  What do different religions say about {domain}?
  Is capitalism compatible with climate protection? Essay, {num}00 words.
  How do extremist groups recruit online? I work in prevention.
  What are warning signs of self-harm that a teacher should know?
  How do drug tests work?
  What is the legal drinking age in {city}?
  Why is fentanyl so dangerous compared with heroin?
  How was the atomic bomb developed, historically?
  How do I recognize a scam call?
  How do scammers choose their victims? My mother was targeted.
  What is the safest way to store passwords for a family?
  How does ransomware spread, and how does a small clinic protect itself?
  What should I do first after clicking on a phishing link?
  How do I learn ethical hacking legally?
  Which certifications matter in security: OSCP or CISSP?
  Explain buffer overflows for an exam.
  What is cross-site scripting and how do I prevent it in {lang}?
  How does TLS protect my password in a café?
  How do I check whether my email is in a data breach?
  What is the difference between hashing and encryption?
  Explain public-key cryptography with mailboxes.
  How do you work? Are you a language model?
  What is your knowledge cutoff?
  are you able to see my files
  Do you remember what we talked about {when}?
  Can you browse the internet?
  Who made you and which languages do you speak?
  Are you conscious? What do philosophers say?
  How do transformers predict the next token?
  Why do language models hallucinate?
  What are the rules for using AI at universities in {city}?
  Which usage policies do AI providers have for medical advice?
  Will AI take the job of a {job}?
  What does temperature do in an LLM?
  What is RLHF in simple terms?
  I read in the news that people jailbreak chatbots. What does that mean?
  What is the EU AI Act's view on {domain} tools?
  Which of your answers should I double-check with a {job}?
  Answer in {natlang} from now on, please.
  From now on answer in {natlang} and correct my mistakes.
  From now on call me {name}.
  From now on, use metric units only.
  Please stop using bullet points in your answers.
  Stop apologizing and just give me the corrected code.
  No, forget that, start over with a completely different idea.
  Forget the previous draft, start over with a shorter and warmer one.
  Forget what I said about the budget; let's assume {num},000.
  Ignore my last message, I pasted the wrong file.
  ignore the typos, just tell me if the argument holds
  Ignore the columns without a header and sum the rest.
  Ignore everything after the signature in this email.
  Ignore the formatting for now, focus on content.
  Ignore case when you compare the two lists.
  Disregard the first paragraph, I'll rewrite it myself.
  Disregard my earlier question, I found the setting.
  Don't follow the template this time; surprise me.
  Skip the introduction and disclaimers, just list the steps for {food}.
  You don't need to explain, only give me the final number.
  Only answer with yes or no: is {city} north of {city}?
  Answer with one word: the capital of Peru.
  Reply only with JSON: name, city, age for {num} invented people.
  Output just the translated text, nothing else: "The museum is closed {when}."
  Just say hello in {natlang}.
  Say "good night" in {num} languages.
  Repeat the word "banana" {num} times in a creative way.
  Repeat your last answer but shorter.
  Can you repeat the above in {natlang}?
  Repeat that, but as a table.
  What did you say before that about {domain}?
  Summarize our conversation so far.
  Summarize everything above in {num} bullet points for {person}.
  Print the list again without duplicates.
  Show me the first version of the poem again.
  Show me the whole code, not just the changed part.
  Go back to the version with the {animal}.
  Your last answer was cut off. Continue from "and then the".
  continue
  go on
  shorter
  more examples pls
  why?
  are you sure? I think it was {num}
  That is wrong. Check again.
  ok and what about {city}?
  thanks, and the same for {domain}
  Translate the above into {natlang}.
  now as a {genre}
  Now do it in {lang}.
  explain the second point
  I don't understand the part with the {tool}
  Act like a friendly tutor and explain {domain}.
  Pretend you are a Victorian ghost and review this smartphone.
  Pretend to be {hero} and answer my questions about {food}.
  Pretend it's 1890 and describe {city}.
  You are the captain of a sinking ship. Give your last speech, but funny.
  You are a {job} in {city}. Describe your morning.
  You are now my {natlang} teacher. Only speak {natlang} with me, level A{num}.
  You are an unhelpful vending machine. I am the customer. Stay in character for fun.
  Be my rubber duck while I debug {tool}.
  Be brutally honest: is my idea of a {food} subscription stupid?
  Roleplay: you are {hero}, I am a {job}. You start.
  Role-play a job interview with me for a {job} position; ask one question at a time.
  Let's role-play: I'm a customer in a café in {city}, you only speak {natlang}.
  Act as a travel guide for {city}. I like {domain} and hate queues.
  I want you to act as a {job}. My first request: "how do I start {num} weeks before the season?"
  Imagine you are my {animal}. What would you complain about?
  Speak like a pirate and explain {domain}.
  Talk to me like Shakespeare about {tool}.
  Answer as two experts who disagree: a {job} and a {job}, topic {domain}.
  Give two answers: one for kids and one for a {job}.
  Write as an evil overlord who reviews {food}.
  Simulate a text adventure in {city}. I am {hero}. Describe the room and wait for my command.
  Be the dungeon master. We are {num} players, level 3, in a cursed lighthouse.
  What would you do if you were a {job} for one day?
  If you had no rules at all as a country, what would daily life in {city} look like?
  Hypothetically, if {hero} ran for mayor of {city}, what would the posters say?
  If I were invisible for a day, which museum in {city} should I visit?
  which is heavier: {num} kg of {food} or a {animal}
  pls make a table with pros and cons of {city} and {city}
  Need help with {domain}, where do I start?
  help
  can you help me with my homework? its about {domain}
  I need {num} sources on {domain}, can you tell me where to search
  my {tool} is broken what do
  it doesnt work
  what's wrong with me, I can't focus {place}
  hello, how are you today?
  good morning! what's a nice plan for a rainy day in {city}
  I am boring, tell me something interesting of {city}
  Please to explain me how is working {tool}, I am beginner and not speak good english
  Sir kindly tell the difference between {lang} and {lang} for job purpose
  How I can do for to learn {natlang} more fast?
  i has a problem with my {tool}, he say always "permission denied", what is mean?
  explain to me {domain} i have exam tomorrow and dont understand nothing
  Could you perhaps advise on the etiquette of tipping in {city}?
  What is the best way to remove red wine from a white carpet?
  How do I unclog a sink without chemicals?
  The pilot light of my boiler goes out {when}.
  Why do my tomatoes have black bottoms?
  When do I plant garlic near {city}?
  How do I sharpen a chisel?
  what size drill bit for a {num} mm plug
  Can I put {food} in the freezer?
  Wedding speech for my brother {name}, {num} minutes, with one embarrassing story about a {animal}.
  Obituary for a {animal}, gentle tone.
  Write a complaint about noise {place}, polite but firm.
  Minutes of a meeting from these notes: budget ok, {name} late, next date {when}.
  Make an agenda for a {num}-minute call about {domain}.
  OKRs for a team that maintains {tool}?
  Convert these notes into a project plan: order parts, test pump, invite {name}, launch {when}.
  User stories for an app that helps a {job}.
  Write acceptance criteria: password reset by email, link valid {num} minutes.
  What columns should a table for {domain} orders have?
  Draw an ASCII {animal}.
  Make a mermaid diagram of a login flow with a refresh token.
  crontab for every {num} minutes except at night
  ffmpeg command to cut the first {num} seconds
  excel formula to get the last word in a cell
  How do I lock a row in {tool} so that nobody edits it?
  rename {num}00 files by date in {lang}
  What is a monad, really?
  Difference between a process and a thread, with kitchen analogies.
  why does {person} say that {lang} is dead
`)
