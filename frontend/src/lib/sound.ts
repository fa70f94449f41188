/** Short sounds, made in the browser, and vibration. Nothing is loaded. */

import type { View } from "./contract";
import type { LogEntry } from "./log";
import { preferences } from "./preferences.svelte";

export type Sound = "deal" | "play" | "draw" | "skip" | "uno" | "catch" | "win" | "lose" | "turn";

/** One tone: start in seconds, pitch in hertz at start and end, length in seconds. */
interface Tone {
  at: number;
  from: number;
  to?: number;
  length: number;
  wave: OscillatorType;
  loud: number;
}

/** A short noise like paper on cloth. */
interface Rustle {
  at: number;
  length: number;
  /** Middle of the band that is heard, in hertz. */
  pitch: number;
  loud: number;
}

interface Score {
  tones?: readonly Tone[];
  rustles?: readonly Rustle[];
  /** Milliseconds of vibration and pause, in turn. */
  shake?: readonly number[];
}

function melody(pitches: readonly number[], step: number, wave: OscillatorType, loud: number): Tone[] {
  return pitches.map((from, i) => ({ at: i * step, from, length: step * 1.6, wave, loud }));
}

const SCORES: Readonly<Record<Sound, Score>> = {
  deal: {
    rustles: Array.from({ length: 5 }, (_, i) => ({ at: i * 0.09, length: 0.07, pitch: 2600, loud: 0.35 })),
    shake: [8, 80, 8, 80, 8],
  },
  play: {
    rustles: [{ at: 0, length: 0.09, pitch: 1800, loud: 0.6 }],
    tones: [{ at: 0.01, from: 190, to: 90, length: 0.09, wave: "sine", loud: 0.5 }],
    shake: [12],
  },
  draw: { rustles: [{ at: 0, length: 0.14, pitch: 3200, loud: 0.4 }], shake: [8] },
  skip: { tones: melody([440, 294], 0.09, "triangle", 0.3), shake: [20, 40, 20] },
  uno: { tones: melody([659, 880, 1319], 0.09, "triangle", 0.35), shake: [30, 30, 60] },
  catch: { tones: [{ at: 0, from: 520, to: 160, length: 0.3, wave: "sawtooth", loud: 0.18 }], shake: [60] },
  win: { tones: melody([523, 659, 784, 1047, 1319], 0.12, "triangle", 0.35), shake: [40, 40, 40, 40, 120] },
  lose: { tones: melody([392, 330, 262], 0.16, "sine", 0.3) },
  turn: { tones: [{ at: 0, from: 784, length: 0.12, wave: "sine", loud: 0.2 }] },
};

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** Browsers allow sound and vibration only after the person has done something on the page. */
function hasActed(): boolean {
  return (navigator as { userActivation?: { hasBeenActive: boolean } }).userActivation?.hasBeenActive ?? true;
}

function wake(): AudioContext {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

function makeNoise(audio: AudioContext): AudioBuffer {
  const buffer = audio.createBuffer(1, audio.sampleRate / 4, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return buffer;
}

/** A volume that swells for a moment and fades. */
function envelope(audio: AudioContext, at: number, length: number, loud: number): GainNode {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud * preferences.volume, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(audio.destination);
  return gain;
}

function sing(audio: AudioContext, tone: Tone): void {
  const at = audio.currentTime + tone.at;
  const source = audio.createOscillator();
  source.type = tone.wave;
  source.frequency.setValueAtTime(tone.from, at);
  if (tone.to !== undefined) source.frequency.exponentialRampToValueAtTime(tone.to, at + tone.length);
  source.connect(envelope(audio, at, tone.length, tone.loud));
  source.start(at);
  source.stop(at + tone.length + 0.02);
}

function rustle(audio: AudioContext, sound: Rustle): void {
  const at = audio.currentTime + sound.at;
  const source = audio.createBufferSource();
  source.buffer = noise ??= makeNoise(audio);
  const band = audio.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = sound.pitch;
  source.connect(band).connect(envelope(audio, at, sound.length, sound.loud));
  source.start(at);
  source.stop(at + sound.length + 0.02);
}

/** Plays a sound and vibrates, unless the person has turned that off. */
export function play(sound: Sound): void {
  if (!hasActed()) return;
  const score = SCORES[sound];
  if (preferences.vibration && score.shake && "vibrate" in navigator) navigator.vibrate([...score.shake]);
  if (preferences.muted || preferences.volume === 0 || document.hidden) return;
  const audio = wake();
  for (const tone of score.tones ?? []) sing(audio, tone);
  for (const part of score.rustles ?? []) rustle(audio, part);
}

function soundOf(entry: LogEntry): Sound | null {
  switch (entry.kind) {
    case "played":
    case "jumped_in":
      return "play";
    case "drew":
      return "draw";
    case "skipped":
      return "skip";
    case "called_uno":
      return "uno";
    case "caught":
    case "challenged":
      return "catch";
    default:
      return null;
  }
}

/** What a new view sounds like: the deal, what happened, the end. */
export function soundsOf(view: View, news: readonly LogEntry[], isDeal: boolean): Sound[] {
  if (isDeal) return ["deal"];
  const heard = new Set(news.map(soundOf).filter((sound) => sound !== null));
  const winner = view.outcome?.winner ?? null;
  if (winner !== null) heard.add(winner === view.seat ? "win" : "lose");
  else if (view.legal.length > 0) heard.add("turn");
  return [...heard];
}
