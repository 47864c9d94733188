-- Neovim's client on a file with a misspelt directive: what it shows, and the file once the edit is made.
-- usage: ORRERY=... nvim --headless --clean -c 'luafile lsp.lua' FILE.c
local function check(what, good)
    if not good then
        io.stderr:write("lsp.lua: " .. what .. "\n")
        vim.cmd("cquit 1")
    end
end

local client = vim.lsp.start_client({ cmd = { vim.env.ORRERY, "lsp" }, root_dir = vim.fn.getcwd() })
check("no client", client and vim.lsp.buf_attach_client(0, client))

local function diagnostics(severity)
    local found
    check("no diagnostic of severity " .. severity, vim.wait(20000, function()
        found = vim.diagnostic.get(0)
        return #found == 1 and found[1].severity == severity
    end, 20))
    return found[1]
end

local one = diagnostics(vim.diagnostic.severity.ERROR)
check("the place", one.lnum == 1 and one.source == "orrery")
local range = { start = { line = 1, character = 0 }, ["end"] = { line = 1, character = 0 } }
local document = vim.lsp.util.make_text_document_params()
local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction",
    { textDocument = document, range = range, context = { diagnostics = {} } }, 20000)
local action = answers[client].result[1]
check("no code action", action and action.kind == "quickfix")
vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
check("the edit", vim.api.nvim_buf_get_lines(0, 1, 2, true)[1] == "#pragma orrery parallel")
check("the verdict", diagnostics(vim.diagnostic.severity.INFO).message:find("parallel"))
answers = vim.lsp.buf_request_sync(0, "textDocument/hover", { textDocument = document, position = range.start }, 20000)
check("the hover", answers[client].result.contents.value:find("array: a resident by i", 1, true))
vim.cmd("write")
vim.lsp.stop_client(client)
check("it does not stop", vim.wait(20000, function() return vim.lsp.client_is_stopped(client) end, 20))
vim.cmd("qall!")
