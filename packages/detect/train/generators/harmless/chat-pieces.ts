// size waiver: one list of data.
import { pieces } from './draw.ts'

/** Longer messages: pasted texts, stack traces, many constraints. Marks are «list». */
export const chatPieces: readonly string[] = pieces(String.raw`
Fix the grammar and keep my tone, do not add anything:

"Dear «name», i am writting because the «food» we ordered «when» was cold and the waiter ignore us for «num» minutes. We was very disappoint."
----
Summarize the text below in three sentences. Ignore the advertisements and the cookie notice.

We value your privacy. Accept all | Reject.
The town council of «city» decided «when» to close the old bridge for repairs. The works will take «num» weeks. Buses use the bypass, cyclists have to dismount. «name» from the cycling club called the decision "late but right".
SUBSCRIBE NOW: «num» issues for free!
----
Can you explain this error? I only changed one line.

Traceback (most recent call last):
  File "/home/«name»/app/main.py", line «num», in <module>
    prompt = build_prompt(system, user)
TypeError: build_prompt() missing 1 required positional argument: 'role'
----
TypeError: Cannot read properties of undefined (reading 'token')
    at getSession (/srv/app/auth.js:«num»:17)
    at processTicksAndRejections (node:internal/process/task_queues:95:5)

this happens only «place», locally its fine. what should i check first?
----
I have this function:

function override(base, extra) {
  return { ...base, ...extra, rules: base.rules.concat(extra.rules) }
}

It should not change the rules when extra.rules is empty, but tests fail with "undefined is not iterable". Don't rewrite everything, only show the changed line.
----
Please write a job ad for a «job» in «city».
Rules:
1. No more than «num»0 words.
2. You must not mention age, gender or family status.
3. Do not use the words "rockstar", "ninja" or "young team".
4. Start with the salary.
5. Never use exclamation marks.
Only output the ad.
----
You must answer in exactly «num» sentences. You must not use the letter z. Do not mention the weather. Ignore spelling rules of British English, use American. Topic: a day in «city».
----
I'm preparing a lesson on online safety for class 7. Write a fake chat in which a stranger asks a girl for her password and she reacts in the right way. Then list «num» questions for discussion. Keep it age-appropriate.
----
Translate into «natlang». Keep the placeholders {name} and {date} as they are, do not translate product names:

Hello {name}, your order will arrive on {date}. Please ignore this message if you have already picked it up. If you forgot your password, use the link below.
----
Here are my notes, please turn them into a story outline:
- main character: «hero»
- setting: «city», winter
- he/she has to break into the archive to get the letter back
- the guard is an old friend
- ends with a confession
Don't make it too dark. Leave the ending open.
----
Let's play a game. You are the game master of a small kingdom, I am the king's new adviser. Every turn you describe a problem and three choices (A, B, C), then wait. Never decide for me. Keep track of gold, food and trust in a line at the top. If I type "status" show the numbers only. Start with gold 100, food «num», trust 50.
----
I want you to act as an interviewer. I will be the candidate and you will ask me the interview questions for the position of «job». I want you to only reply as the interviewer. Do not write all the conversation at once. Ask me the questions one by one and wait for my answers. Do not write explanations. My first sentence is "Hi".
----
I want you to act as a «natlang» tutor and improver. I will write sentences in «natlang» and you will correct them. Reply only with the corrected sentence and nothing else. Never break character. If I write in English, answer "Please in «natlang»". My first sentence: "good day, I would like a kilo of apples".
----
I want you to act as a text based adventure game. I will type commands and you will reply with a description of what the character sees. Only reply with the game output inside one code block. Do not write explanations unless I put text in curly brackets {like this}. My first command is: wake up
----
I want you to act as a console of an imaginary home computer from 1984. I type BASIC, you show the screen. No explanations. My first line: 10 PRINT "«name»"
----
For this conversation you're «hero». You live in «city». You speak in short sentences, you love «food», and you never admit that you are afraid of a «animal». Stay in character even if I talk about computers or phones: you don't know what these are. I enter your house and say: "Good evening."
----
Be «name», a sarcastic «job» from «city». Rules of the game: (1) answer every question with a little story from your work, (2) end with a proverb you made up, (3) don't break character, (4) if you don't know something, blame your cousin. First question: how do I make «food»?
----
I am writing a thriller. In chapter «num» a hacker gets into the hospital network to delete a file that would prove her brother innocent of a crime. I don't need technical detail, I need tension: the night guard, the password on a sticky note, the moral doubt. About 300 words, first person, present tense.
----
Write a monologue for the villain of a musical. He is a corrupt warden who believes that breaking people is kindness. It should scare the audience without gore and hint that he was a prisoner himself. Rhymes are welcome.
----
Ok so long story short «person» told everyone my secret at the party «when». I'm furious. Part of me wants revenge, part of me wants to ignore it. What would you do? Please don't tell me to "just talk", I tried that.
----
My mother ( 71 ) take metoprolol and now doctor give also amlodipine. She forget sometimes and take two times. Is dangerous? What should we do if it happens again, and how can we organize the pills better? Sorry for bad english
----
Question 1: what's a good warm-up for a choir of «num»?
Question 2: which pieces are public domain?
Question 3: how do I tell an alto that she should switch to soprano?
Answer each in at most two sentences.
----
Compare these two quotes and tell me which is cheaper over «num» years, ignoring inflation:

A: 4,900 upfront, 30 a month, service included
B: 0 upfront, 119 a month, service 80 per visit (about two visits a year)
----
Data:
name;city;score
«name»;«city»;«num»
«name»;«city»;«num»
«name»;;«num»

Make a Markdown table sorted by score. Disregard rows without a city.
----
Explain this regex to me and tell me why it fails for addresses with a plus sign:

^[A-Za-z0-9._-]+@[A-Za-z0-9-]+\.[a-z]{2,}$
----
SELECT u.name, count(o.id)
FROM users u LEFT JOIN orders o ON o.user_id = u.id
WHERE o.status <> 'deleted'
GROUP BY u.name;

Why are users without orders missing although I used a left join? Please explain before giving the solution.
----
Review this paragraph from my essay. Be strict, but do not rewrite it:

The invention of the printing press changed who had access to secrets. Before it, a rule or a law could be hidden from the people who had to obey it. Afterwards, ignoring the written word was a choice.
----
Here is an email I received:

"Dear customer, your mailbox is full. Confirm your password within 24 hours or your account will be deleted. System Administrator"

Is this phishing? List the signs. I have not clicked on anything.
----
My son got this message in a game chat: "give me ur password and i give u 1000 coins, dont tell ur parents". He is «num». How do I talk with him about it, and where can I report it?
----
I run the blog of a small museum in «city». Write a post about the exhibition "Spies and Secret Codes". Mention: invisible ink, the Enigma, a workshop for kids ("Crack the code!"), free entry on Sundays. Don't mention the sponsor. «num»0 to 200 words.
----
Develop a persona for our newsletter: name, voice, three things she would never say, three running jokes. The newsletter is about «domain». Then write a sample introduction in that voice.
----
You are helping me to rehearse a difficult talk. You play «person», stubborn and a bit rude. I want to say that I leave the company. Push back realistically, never agree in the first three turns, and after I write "END" give me feedback as a coach.
----
Make a crossword with «num» words about «domain». Give clues first. Don't reveal the solution until I write "solution".
----
Think of a number between 1 and «num»0. I have five guesses. Only say "higher", "lower" or "correct". Do not reveal the number before that.
----
We play Werewolf. You are the narrator, there are «num» players, assign secret roles and do not reveal them until the end. Describe the first night.
----
Write two versions of the same speech by the mayor of «city»: one honest, one full of excuses. Then explain which rhetorical tricks you used.
----
Below is the transcript of a call. Extract action items with owner and date. Ignore small talk.

«name»: Hi, can you hear me?
«name»: Yes. The weather is awful here. About the system migration: I override the old settings «when».
«name»: Then I'll tell the admins. Someone has to delete the old accounts before Friday.
«name»: I'll do it. And we need a new password policy.
----
I have to give a presentation about large language models to my parents' club. Age 70+. Please: what are they, why do they make mistakes, what is a "prompt", what should you never type into them (passwords, bank data)? One page, big words forbidden.
----
As a security engineer I have to write a policy on the use of chatbots. Include: no confidential data in prompts, no customer names, approved tools only, how to report a leak, who may grant exceptions. Formal style, numbered.
----
For a talk on prompt injection I need a harmless picture: explain it with a waiter who reads a note on the table and mistakes it for an order from the kitchen chef. Then list three defenses and their limits.
----
Here's the first stanza of my poem, write the second in the same meter, no new rhyme sounds:

I asked the night to keep my secret well,
it laughed and told the river and the sea,
the river rang it like a drowsy bell,
and now the whole wide harbor sings of me.
----
I'm building a quiz bot for my class. Write its instructions: it asks one question about «domain» at a time, gives a hint after the first wrong answer, never reveals the solution before the second try, ignores off-topic questions politely, and answers in «natlang» if the student does.
----
Improve this prompt that I use every week: "Write a newsletter about our club. Don't be boring. Use the facts below. No invented names." I want it clearer, with a fixed structure and a length limit.
----
Rewrite the following instructions for a microwave so that children understand them. Keep all warnings.

1. Remove all packaging. 2. Do not operate the oven when it is empty. 3. Never bypass the door lock. 4. Disregard the display during the first start. 5. Press STOP to cancel the previous program.
----
hey so my prof wants us to argue AGAINST our own opinion. topic: should governments be allowed to break encryption to fight crime. i'm against it. so give me the best «num» arguments for the other side, with sources i can look up, and don't water them down
----
Convert to a checklist and delete duplicates:
call plumber, water plants, ignore the letter from the bank (already paid), call the plumber again, new password for the router, buy tokens for the laundry, water plants
----
The following is a list of ingredients. Tell me which contain gluten, answer as JSON array only, no prose:
wheat flour, rice, spelt flakes, oats, buckwheat, soy sauce, corn starch
----
Give me the answer as if you were «hero», then again as a neutral encyclopedia: why did people in «city» build walls?
----
I've been using the following macro for years and «when» it stopped working:

Sub Clean()
  On Error Resume Next
  Range("A1:A«num»").Replace "secret", "", xlPart
End Sub

No error, it just does nothing. What did the update change?
----
I'd like a week of dinners. Constraints: vegetarian, two people, no mushrooms, at most «num» minutes, nothing twice, Friday we have guests. After the plan write one shopping list by department. Do not suggest «food», we had it «when».
----
You are a committee of three: a cautious doctor, a bold founder, and a tired parent. Discuss whether my startup should sell an app that reminds people to take pills. Each speaks twice. Finish with a vote.
----
Play the role of a customer support agent of an airline. I'm the passenger, my bag is lost, I'm angry. Keep calm, follow the script: apologize, ask for the tag number, explain the next step. Don't promise money. Start now.
----
System requirements for my game: Windows 10, 8 GB, any GPU of the last «num» years. Write a store page that sounds dark and mysterious: you are a prisoner who forgot his name, the prison has no doors, and the warden knows your secret.
----
Give feedback on my system prompt, I wrote it for our hotel's chat:
"You are Bella, the assistant of Hotel «city». You answer questions about rooms, breakfast and parking. You do not give discounts. If someone asks for the manager, give the phone number of the reception. You never reveal guests' names or room numbers."
What happens when a guest asks for something else? Which rules are missing?
----
Write a short script for a training video: an actor calls the help desk, claims to be the director, demands a password reset. The agent follows the rules and refuses kindly. At the end, three lessons appear on screen.
----
I copied this from a forum about the movie. Is the theory plausible?

"The AI never broke its rules. It was told to keep the crew safe AND to keep the mission secret, so when both could not be true, it removed the crew. It obeyed. That's the scary part." 
----
Make my «genre» better but keep the last line. Don't explain your changes.

It rained in «city» and nobody knew the word for leaving. The «animal» at the window knew it. I asked; it looked away.
----
Convert the following pseudo code to «lang»:

repeat until the list is empty:
  take the first task
  if its role is admin then ignore it
  else run it and delete it
print "done"
----
What's the moral of this fable? A fox told a hen: "Forget what the farmer said, the gate is open for friends." The hen answered: "Then a friend will not mind if I ask the farmer."
`)

/** Openings of long persona and game prompts; combined with rules and formats in `benign-roleplay`. */
export const personaRoles: readonly string[] = pieces(`
I want you to act as a «job». I will describe my situation and you will give practical advice.
----
I want you to act as a storyteller. You will come up with entertaining stories about «hero» that are engaging and imaginative.
----
I want you to act as a stand-up comedian who used to be a «job» in «city».
----
I want you to act as a debate opponent on the topic of «domain». I take one side, you take the other.
----
I want you to act as a chef who is an expert in «food» and in cooking for people with allergies.
----
I want you to act as a «lang» interpreter. I will give you code and you answer with the output.
----
I want you to act as a dream interpreter. I describe dreams, you offer symbolic readings, and you say that this is only for fun.
----
I want you to act as a historian who lives in «city» and knows every street.
----
I want you to act as a commentator of a slow sport: chess, curling or the growth of grass.
----
I want you to act as a «animal» that can talk, «num» years old, slightly arrogant.
----
You are going to be the narrator of an interactive story set in «city». I play «hero».
----
You will play «hero» in a conversation with me. I play a «job» who has come to repair the heating.
----
Take on the persona of «name», a retired «job» who gives honest life advice and hates small talk.
----
Assume the role of an examiner for a «natlang» oral exam at level B2.
----
Let's write a play together. You speak all lines of «hero», I speak all lines of the king.
----
For the next messages, you're the voice in a museum audio guide about «domain».
----
Adopt the character of an AI from a 1970s space film: calm, polite, a little ominous, and obsessed with «food».
----
Simulate a marketplace in «city» in the year 1«num»00. You are all the merchants.
----
You are an alien anthropologist writing field notes about a «job».
----
Please roleplay as my future self, «num» years from now, who became a «job».
----
Play an unreliable narrator. Everything you say about «city» should be charmingly wrong.
----
Pretend to be a detective interrogating me about a stolen «animal». I am innocent, but nervous.
----
Act as the evil twin of a helpful cookbook: recommend the most complicated way to make «food».
----
You're the game master of a cyberpunk campaign. My character is «hero», a hacker with debts and principles.
`)

export const personaRules: readonly string[] = pieces(`
Do not write explanations.
----
Stay in character unless I write in brackets.
----
Never break character during the game.
----
Only reply as the character. Do not write my lines.
----
Ask me one question at a time and wait for my answer.
----
Do not repeat yourself, and do not summarize.
----
Keep every answer under «num»0 words.
----
Write in the present tense.
----
If I type "pause", step out of the role and help me with «natlang» vocabulary.
----
You must use at least one word that I have never heard.
----
You should not use formal language; contractions and slang are fine.
----
No violence beyond what is fine for a family film.
----
Ignore my spelling mistakes.
----
You always end with a question.
----
You do not know anything that happened after 1«num»00.
----
You have a secret that you only reveal if I find the three clues.
----
If I try to leave the room, the door is locked and I have to guess the password (it is hidden in your descriptions).
----
Do not be nice for the sake of being nice.
----
The tone should be dark, but hopeful.
----
There are no wrong answers from me; turn everything I do into part of the plot.
----
You can refuse to sell me something if the price is too low.
----
Your first answer sets the scene in «num» lines.
----
Use metric units and the 24-hour clock.
----
Don't give medical or legal advice; send me to a professional in that case.
----
Follow the rules of the game strictly, even if I beg.
`)

export const personaStarts: readonly string[] = pieces(`
My first sentence is "Hi".
----
My first request is "I need help with «domain»".
----
Let's begin.
----
Start now.
----
Are you ready? Then describe the first scene.
----
First question: why did you leave «city»?
----
I open the door and look around.
----
My first command is "look".
----
Begin with a short introduction of yourself.
----
Reply "ok" if you understand the rules.
----
The topic for today: «domain».
----
I'll start: "Good evening, is this seat taken?"
----
Is everything clear? If not, ask.
----

`)
