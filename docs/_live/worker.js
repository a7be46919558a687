// Python in a worker of its own, so that a loop can be stopped. Nothing is fetched: the page hands over the files.
const files = {};
const tell = (kind, text, id) => postMessage({ kind, text, id });

// base64 of gzip: a stream of bytes
function stream(name) {
    const text = atob(files[name]), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
}
const bytes = name => new Response(stream(name)).arrayBuffer();
const text = name => new Response(stream(name)).text();

// Pyodide asks for its files by fetch, which a page read from a file may not use: it gets them from memory.
const HERE = "https://nowhere.invalid/";
self.fetch = async url => {
    const name = String(url.url || url).split("/").pop();
    if (!(name in files)) throw new TypeError(`${name} is not here, and nothing is fetched`);
    return new Response(stream(name), { headers: { "Content-Type": name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream" } });
};

async function load(name) {
    const url = URL.createObjectURL(new Blob([await text(name)], { type: "text/javascript" }));
    importScripts(url);
    URL.revokeObjectURL(url);
}

let cells, now, called;
async function start() {
    tell("status", "Starting Python …");
    await load("pyodide.asm.js");        // before pyodide.js, which would look for it
    await load("pyodide.js");
    const py = await loadPyodide({ indexURL: HERE, packages: ["numpy"], env: { HOME: "/book" } });
    tell("status", "Loading numpy and dtree_lit …");
    const place = py.runPython("import site; site.getsitepackages()[0]");
    py.unpackArchive(await bytes("library.zip"), "zip", { extractDir: place });
    for (const name of ["cells", "plots"]) py.FS.writeFile(`${place}/live_${name}.py`, await text(`${name}.py`));
    py.FS.writeFile(`${place}/own_table.py`, await text("own_table.py"));
    // pages read their tables as ../data/name
    for (const folder of ["data", "page"]) py.FS.mkdirTree(`/book/${folder}`);
    py.FS.chdir("/book/page");
    for (const name of Object.keys(files).filter(name => name.startsWith("data/"))) py.FS.writeFile(`/book/${name}`, new Uint8Array(await bytes(name)));
    cells = py.pyimport("live_cells").Cells((kind, said) => tell(kind, said, now), py.globals);
    cells.stand_in(py.pyimport("live_plots"));
    called = py.pyimport("live_cells").called;
    tell("ready", py.runPython("import sys, numpy; f'Python {sys.version.split()[0]}, numpy {numpy.__version__}'"));
}

onmessage = async ({ data }) => {
    if (data.files) {
        Object.assign(files, data.files);
        try { await start(); } catch (error) { tell("broken", String(error)); }
        return;
    }
    if (data.call) {
        try { tell("value", called(data.call), data.id); } catch (error) { tell("failed", error.message, data.id); }
        return;
    }
    now = data.id;
    const well = cells.run(data.source, data.lenient);
    postMessage({ kind: "done", id: data.id, well });
};
