/** Where a long conversation stands: it follows what comes, until the person scrolls. */

const NEAR = 80;
const GAP = 16;

export class Scroller {
  #box;
  #follows = true;
  #anchor = null; // stays in sight: who asked reads the answer from its beginning
  #set = 0; // where the page itself has scrolled to

  /** The box scrolls; its first child grows. */
  constructor(box) {
    this.#box = box;
    box.addEventListener("scroll", () => {
      if (Math.abs(box.scrollTop - this.#set) < 2) return;
      this.#follows = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
    });
    const watch = new ResizeObserver(() => this.#follows && this.#move());
    watch.observe(box);
    watch.observe(box.firstElementChild);
  }

  /** Go to the end, and on with what comes, as long as `anchor` can be seen. */
  follow(anchor = null) {
    this.#anchor = anchor;
    this.#follows = true;
    this.#move();
  }

  /** Show something from its beginning, and stay there. */
  show(node) {
    this.#follows = false;
    node.scrollIntoView({ block: node.offsetHeight > this.#box.clientHeight ? "start" : "end" });
  }

  #move() {
    const box = this.#box;
    const top = this.#anchor?.isConnected ? this.#anchor.offsetTop - GAP : Infinity;
    box.scrollTop = Math.min(top, box.scrollHeight);
    this.#set = box.scrollTop;
  }
}
