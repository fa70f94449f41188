// A Worker for pages that are opened as files, where browsers refuse real ones: its script runs in a hidden frame.
// The theme's search looks for it under this name.
(() => {
  if (location.protocol !== "file:") return;

  window.IFrameWorker = class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      const tell = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.loaded = new Promise((resolve) => {
        const page = inside.document;
        page.open();
        page.close();
        inside.postMessage = tell;
        const script = page.createElement("script");
        script.src = new URL(url, location.href).href;
        script.onload = () => resolve(inside);
        page.body.append(script);
      });
    }

    postMessage(data) {
      this.loaded.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }
  };
  // Scripts that a page has made itself may run in real ones.
  const { Worker: RealWorker, IFrameWorker } = window;
  window.Worker = function (url, options) {
    return String(url).startsWith("blob:") ? new RealWorker(url, options) : new IFrameWorker(url);
  };
})();
