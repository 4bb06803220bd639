// @ts-check
// How a board that the server has judged comes to the process of the room, which may be another one.

import { keptOf } from "./kept_by_member.js";

/** @import { Handed, Ticket } from "./kept_by_member.js" */

const FIRST_MS = 300, LONGEST_MS = 4000, TRIES = 9; // a server that was killed is back within seconds

/**
 * Hand in a ticket, and keep its receipt. Returns what hangs on the wall, "closed" if the task is over, or "away".
 * @param {string} code
 * @param {URL} address
 * @param {Ticket & Partial<Handed>} ticket
 * @returns {Promise<Handed | "closed" | "away">}
 */
export async function handIn(code, address, ticket) {
  const room = keptOf(code);
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const body = JSON.stringify({ ...ticket, me: room.kept().me });
      const answer = await fetch(address, { method: "POST", body, cache: "no-store" });
      if (answer.ok) {
        const { closed, number, receipt, passed, at, seal } = await answer.json();
        if (closed) return "closed";
        const handed = { ...ticket, number, receipt, passed, at };
        if (seal === ticket.seal) room.addHanded(handed); // else a newer one hangs there, from another tab
        return handed;
      }
      if (answer.status < 500) return "away";
    } catch {
      // the server is away
    }
    await new Promise((go) => setTimeout(go, Math.min(LONGEST_MS, FIRST_MS * 2 ** tries) * (0.5 + Math.random())));
  }
  return "away";
}

/**
 * Say again what this browser has handed in, because the room may have lost it.
 * @param {string} code
 * @param {URL} address
 */
export function handInAgain(code, address) {
  const { handed } = keptOf(code).kept();
  if (handed) void handIn(code, address, handed);
}
